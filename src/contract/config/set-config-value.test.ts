import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { defined } from "../../domain/values/defined.ts";
import { messageWithHint, parsedOrThrow } from "../documents/file-problem.ts";
import { parseConfig } from "./parse-config.ts";
import { setConfigValue } from "./set-config-value.ts";

const shop = `# The shop's settings
version: 1   # do not change

models:
    # Anna likes this one
    writer: ollama/mistral:latest  # fast enough
    reviewer: "openai/critic"
limits: { retries: 3, budget: { usd: 5 } } # money
`;

function set(key: string, value: string, text: string | undefined = shop) {
  return setConfigValue({
    ...{ file: "signoff.yaml", key, value },
    ...defined({ text }),
  });
}

function textAfter(key: string, value: string, text?: string) {
  return parsedOrThrow(set(key, value, text), { code: "test" }).text;
}

function refusal(key: string, value: string, text?: string) {
  const edited = set(key, value, text);
  return edited.kind === "problems" ? edited.problems.map(messageWithHint).join("; ") : "";
}

describe("setConfigValue", () => {
  it("changes nothing but the value it was asked to change", () => {
    expect(textAfter("models.writer", "openai/poet")).toBe(
      shop.replace("ollama/mistral:latest", "openai/poet"),
    );
    expect(textAfter("limits.retries", "5")).toBe(shop.replace("retries: 3", "retries: 5"));
    expect(textAfter("limits.retries", "5", shop.replaceAll("\n", "\r\n"))).toBe(
      shop.replace("retries: 3", "retries: 5").replaceAll("\n", "\r\n"),
    );
  });

  it("adds a setting and keeps comments, order and indentation", () => {
    const text = textAfter("drafting.max_turns", "7");
    expect(text).toContain(
      "    # Anna likes this one\n    writer: ollama/mistral:latest # fast enough",
    );
    expect(text).toContain("# The shop's settings\nversion: 1");
    expect(parse(text)).toEqual({ ...parse(shop), drafting: { max_turns: 7 } });
    expect(text.indexOf("models:")).toBeLessThan(text.indexOf("limits:"));
  });

  it("opens a section that holds only comments, and keeps them", () => {
    const text = textAfter(
      "drafting.max_turns",
      "4",
      "version: 1\ndrafting:\n  # later\n\n# the end\n",
    );
    expect(parse(text)).toEqual({ version: 1, drafting: { max_turns: 4 } });
    expect(text).toContain("# later");
    expect(text).toContain("# the end");
    expect(parse(textAfter("limits.budget.usd", "4", "version: 1\nlimits:\n"))).toEqual({
      version: 1,
      limits: { budget: { usd: 4 } },
    });
    expect(refusal("drafting.max_turns", "4", "version: 1\ndrafting: 5\n")).toContain(
      "not a group",
    );
    expect(refusal("drafting.max_turns", "4", "- version: 1\n")).toContain("not a group");
    const list = "version: 1\nnotes:\n  roots: [a] # ours\n";
    expect(textAfter("notes.roots", "[b]", list)).toContain("# ours");
    const empty = "version: 1\ndrafting:\n  max_turns: # not yet\n";
    expect(textAfter("drafting.max_turns", "4", empty)).toContain("max_turns: 4 # not yet");
  });

  it("begins a file that does not exist yet", () => {
    const edited = setConfigValue({ file: "signoff.yaml", key: "studio.port", value: "4401" });
    expect(edited).toMatchObject({ value: { text: "version: 1\nstudio:\n  port: 4401\n" } });
  });

  it("takes names with dots among the user's own, and lists and groups as YAML", () => {
    expect(
      parse(textAfter("models.aliases.llama3.2", "ollama/llama3.2:3b")).models.aliases,
    ).toEqual({
      "llama3.2": "ollama/llama3.2:3b",
    });
    expect(parse(textAfter("notes.roots", "[notes, handbook]")).notes.roots).toEqual([
      "notes",
      "handbook",
    ]);
    expect(refusal("notes.roots", "notes")).toBe("must be a list");
    expect(refusal("commands.poet.argv", "[poet]")).toBe("");
    const text = textAfter("commands.poet", "{ argv: [poet, --stdin], seconds: 60 }");
    expect(parse(text).commands.poet).toEqual({ argv: ["poet", "--stdin"], seconds: 60 });
  });

  it("refuses unknown names with the nearest known one", () => {
    expect(refusal("drafting.max_turn", "3")).toContain("did you mean max_turns?");
    expect(refusal("limit.retries", "3")).toContain("did you mean limits?");
    expect(refusal("commands.poet.arg", "[x]")).toContain("did you mean argv?");
    expect(refusal("drafting.max_turns.often", "3")).toContain("not a known key");
    expect(refusal("__proto__.x", "1")).toContain("not a known key");
    expect(refusal("drafting", "{ max_turns: 3 }")).toContain(
      "group of settings; name one of max_turns",
    );
    expect(refusal("temperature", "1")).toContain("OLLAMA_TEMPERATURE");
  });

  it("refuses values of the wrong kind or out of range, and models of no provider", () => {
    expect(refusal("drafting.max_turns", "11")).toBe("must be a whole number from 1 to 10");
    expect(refusal("drafting.max_turns", "many")).toBe("must be a whole number from 1 to 10");
    expect(refusal("notes.allow_offline", "maybe")).toBe("must be true or false");
    expect(refusal("models.writer", "opnai/gpt")).toContain('"opnai" is not a provider');
    expect(refusal("commands.poet", "{ argv: [] }")).toContain("argv");
  });

  it("refuses to write into a file that is wrong elsewhere, but mends it where it is wrong", () => {
    const wrong = `${shop}studio: { port: x }\n`;
    expect(refusal("limits.retries", "5", wrong)).toContain("whole number");
    expect(textAfter("studio.port", "4400", wrong)).toContain("studio: { port: 4400 }");
    expect(refusal("limits.retries", "5", "models: [")).toContain("not valid YAML");
  });

  it("writes any text so that it is read back as the same text", () => {
    const texts = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.constantFrom(
        "yes",
        "null",
        "1",
        "a: b",
        "x #y",
        "[a]",
        "a, b",
        "'",
        '"',
        "- a",
        "*x",
        "&x",
        "!x",
        "~",
        "<<",
      ),
    );
    const inFlow = "version: 1\nnotes: { gates: old, lock: signoff.lock }\n";
    const inBlock = "version: 1\nnotes:\n  gates: 'old' # here\n  lock: signoff.lock\n";
    fc.assert(
      fc.property(texts, fc.constantFrom(inFlow, inBlock, "version: 1\n"), (value, text) => {
        const edited = set("notes.gates", value, text);
        fc.pre(edited.kind === "parsed");
        const read = edited.kind === "parsed" ? parse(edited.value.text).notes : {};
        expect(read.gates).toBe(value.trim());
        if (text !== "version: 1\n") expect(read.lock).toBe("signoff.lock");
      }),
    );
  });

  it("never throws and never writes a file it would refuse, whatever stands there", () => {
    const lines = fc.constantFrom(
      ...[
        "version: 1",
        "limits:",
        "  budget:",
        "    usd: 3",
        "  # why",
        "limits: &l {}",
        "notes: *l",
      ],
      ...[
        "notes: [a]",
        "- a",
        "drafting: { max_turns: }",
        "---",
        "{",
        "",
        "\t",
        "studio: { port: 1 }",
      ],
    );
    const keys = fc.constantFrom(
      "limits.budget.usd",
      "notes.lock",
      "drafting.max_turns",
      "studio.port",
    );
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 7 }), keys, (written, key) => {
        const edited = set(key, "7", written.join("\n"));
        if (edited.kind === "problems") return edited.problems.length > 0;
        return parseConfig(edited.value.text, "signoff.yaml").kind === "parsed";
      }),
      { numRuns: 500 },
    );
  });
});
