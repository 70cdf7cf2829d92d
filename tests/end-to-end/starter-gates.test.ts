import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../src/contract/documents/parse-note.ts";
import { parseGateFile } from "../../src/contract/gates/gate-file.ts";
import { readOfflineCheck } from "../../src/contract/gates/offline-check.ts";
import { judgeOffline } from "../../src/domain/gates/offline-judge.ts";
import { evaluateRules, type MatchPattern } from "../../src/domain/gates/rule-gate.ts";

const files = readdirSync("gates", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .sort();

const matches: MatchPattern = (pattern, text) => {
  const matcher = RE2JS.compile(pattern).matcher(text);
  return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
};

function example(body: string, which: "Passing" | "Failing"): string {
  const found = new RegExp(`## ${which} example\\n\\n\`\`\`\`markdown\\n([^]*?)\\n\`\`\`\``).exec(
    body,
  );
  if (found?.[1] === undefined) throw new Error(`no ${which} example`);
  return found[1];
}

describe("starter gates", () => {
  it("are twelve, and the example has the same", () => {
    expect(files).toHaveLength(12);
    for (const file of files)
      expect(readFileSync(join("examples/notes-with-gates/signoff/gates", file), "utf8")).toBe(
        readFileSync(join("gates", file), "utf8"),
      );
  });

  it.each(files)("%s tells its two examples apart", (file) => {
    const id = file.slice(0, -".md".length);
    const parsed = parseGateFile(id, file, readFileSync(join("gates", file), "utf8"));
    if (parsed.kind !== "parsed") throw new Error(JSON.stringify(parsed.problems));
    const gate = parsed.value;
    const judge = (text: string) => {
      const note = parseNote(text);
      return gate.kind === "rule"
        ? evaluateRules(gate.rules, note, matches).decision
        : judgeOffline(id, readOfflineCheck(gate.body), note).decision;
    };
    expect(judge(example(gate.body, "Passing"))).toBe("pass");
    expect(["warn", "fail"]).toContain(judge(example(gate.body, "Failing")));
  });
});
