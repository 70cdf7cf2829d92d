import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openModelServer } from "../support/model-servers.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { inFolder, runSignoff, standIns, startSignoff } from "../support/signoff-process.ts";

const briefs = Array.from({ length: 12 }, (_, at) =>
  JSON.stringify({ id: `bottle-${at}`, brief: `water bottle number ${at}` }),
);

async function resultsIn(cwd: string) {
  const lines = (await readFile(join(cwd, "results.jsonl"), "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as { readonly id: string; readonly text: string });
}

const batch = ["draft", "--batch", "briefs.jsonl", "-o", "results.jsonl", "--jobs", "2"];

describe("a batch of briefs", () => {
  it("costs a second time only what was in flight when it was killed", async () => {
    await inFolder(async (cwd) => {
      let kill: () => void = () => undefined;
      const server = await openModelServer({
        story: { writer: ["Sip the sea"], reviewer: ["SHIP IT!"] },
        instead: ({ number }, response) => {
          if (number !== 11) return false;
          ollamaWire.begin(response, "Sip");
          kill();
          return true;
        },
      });
      await writeFile(join(cwd, "briefs.jsonl"), `${briefs.join("\n")}\n`);
      const args = [...batch, "--model", "mistral", "--base-url", server.url];
      const killed = startSignoff(args, { cwd });
      kill = () => killed.child.kill("SIGKILL");
      expect((await killed.ended).signal).toBe("SIGKILL");
      const before = server.asked.length;
      const again = await runSignoff(args, { cwd });
      expect(again).toMatchObject({ code: 0 });
      expect(again.stdout).toBe("12 briefs: 12 approved. results.jsonl\n");
      expect(before).toBeLessThanOrEqual(12);
      // Two briefs at a time: at most two calls were in flight.
      expect(server.asked.length).toBeLessThanOrEqual(24 + 2);
      const results = await resultsIn(cwd);
      expect(results.map(({ id }) => id).sort()).toEqual(
        briefs.map((line) => JSON.parse(line).id).sort(),
      );
      const done = server.asked.length;
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
      expect(server.asked.length).toBe(done);
      expect(await resultsIn(cwd)).toHaveLength(12);
    });
  });

  it("drops a line that was cut off, drafts what was changed, and keeps what is not its own", async () => {
    await inFolder(async (cwd) => {
      await writeFile(join(cwd, "briefs.jsonl"), `"a night train"\n\n"a day train"\n`);
      const args = [...batch, ...standIns];
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
      const whole = await readFile(join(cwd, "results.jsonl"), "utf8");
      await writeFile(join(cwd, "results.jsonl"), whole.slice(0, -40));
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
      expect((await resultsIn(cwd)).map(({ id }) => id).sort()).toEqual(["1", "3"]);
      await writeFile(join(cwd, "briefs.jsonl"), `"a night train"\n\n"a slow train"\n`);
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
      expect(await resultsIn(cwd)).toHaveLength(3);
      await writeFile(join(cwd, "results.jsonl"), '{"mine":true}\n');
      const refused = await runSignoff(args, { cwd });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("results.jsonl:1 is not a result of a batch");
    });
  });

  it.each<[string, readonly string[], string, RegExp]>([
    [
      "lines that cannot be read",
      batch,
      '{"brief": 3}\nwords\n{}\n',
      /:1 brief must be text.*:2 is not JSON.*:3 brief is missing/u,
    ],
    [
      "an id twice",
      batch,
      '{"id":"a","brief":"x"}\n{"id":"a","brief":"y"}\n',
      /:2 id "a" is that of line 1/u,
    ],
    [
      "an unknown member",
      batch,
      '{"brief":"x","contxt":["f"]}\n',
      /contxt is not a known key \(did you mean context\?\)/u,
    ],
    [
      "an unknown recipe",
      batch,
      '{"brief":"x","recipe":"sonnet"}\n',
      /line 1: There is no recipe "sonnet"/u,
    ],
    [
      "a missing material",
      batch,
      '{"brief":"x","context":["f.md"]}\n',
      /line 1: There is no file f\.md/u,
    ],
    ["no brief at all", batch, "\n", /holds no brief/u],
    [
      "a brief beside the file",
      [...batch, "a train"],
      '"x"\n',
      /--batch and brief do not go together/u,
    ],
    ["too many jobs", [...batch, "--jobs", "33"], '"x"\n', /Use a whole number from 1 to 32/u],
    ["jobs without a batch", ["draft", "a train", "--jobs", "3"], '"x"\n', /with --batch/u],
    ["no file for the results", batch.slice(0, 3), '"x"\n', /ends in \.jsonl/u],
  ])("is refused before anything is drafted: %s", async (_what, args, lines, words) => {
    await inFolder(async (cwd) => {
      await writeFile(join(cwd, "briefs.jsonl"), lines);
      const refused = await runSignoff([...args, ...standIns], { cwd });
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr.replace(/\s+/gu, " ")).toMatch(words);
      expect(existsSync(join(cwd, ".signoff"))).toBe(false);
    });
  });
});
