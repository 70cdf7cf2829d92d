import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJson } from "./json-reply.ts";

const verdict = { verdict: "ok", summary: 'It keeps its promise {to the sea} and "rhymes".' };
const json = JSON.stringify(verdict);

describe("the JSON object of a reply", () => {
  it.each([
    ["the whole text", json],
    [
      "a fenced block",
      `Here you go:\n\`\`\`json\n${JSON.stringify(verdict, null, 2)}\n\`\`\`\nEnjoy!`,
    ],
    ["amid prose with braces of its own", `Using {name} and { spaces }: ${json} — done.`],
    ["after reasoning that tries another", `<think>{"verdict":"needs_human"}</think>${json}`],
    ["in a list of one", `[${json}]`],
    ["with a trailing comma", `${json.slice(0, -1)},\n}`],
  ])("is found when it is %s", (_title, text) => {
    expect(findJson(text)).toEqual({ kind: "found", objects: [verdict] });
  });

  it("keeps tags inside its strings when it is the whole text", () => {
    const object = { content: "Say <think>less</think>, drink more." };
    expect(findJson(JSON.stringify(object))).toEqual({ kind: "found", objects: [object] });
  });

  it("may not have a key twice, also behind a backslash that is escaped", () => {
    expect(findJson('{"path":"C:\\\\","verdict":"no","verdict":"ok"}')).toMatchObject({
      kind: "broken",
      error: expect.stringContaining("occurs twice"),
    });
  });

  it("may have raw line breaks in its strings", () => {
    expect(findJson('{"content":"Hydrate\nGreen"}')).toEqual({
      kind: "found",
      objects: [{ content: "Hydrate\nGreen" }],
    });
  });

  it("is every complete one when there are several", () => {
    expect(findJson('{"verdict":"ok"}\n{"verdict":"needs_human"}')).toEqual({
      kind: "found",
      objects: [{ verdict: "ok" }, { verdict: "needs_human" }],
    });
  });

  it.each(["Good rhythm but vague.", "", "[1, 2]", "{name} {0}", "f() { return 1 }"])(
    "is absent from %j",
    (text) => {
      expect(findJson(text)).toEqual({ kind: "none" });
    },
  );

  it("is never a part of an object that is cut", () => {
    for (let end = 1; end < json.length; end += 1) {
      expect(findJson(json.slice(0, end)).kind).toBe("broken");
    }
    expect(findJson('{"verdict":"changes_requested","issues":[{"verdict":"ok"}').kind).toBe(
      "broken",
    );
    expect(
      findJson('{"verdict":"changes_requested","note":"a\n```json\n{"verdict":"ok"}\n```').kind,
    ).toBe("broken");
    expect(findJson('[{"verdict":"ok"},').kind).toBe("broken");
  });

  it.each([
    `{verdict: 'changes_requested', evidence: {"verdict": "ok"}}`,
    `{'verdict': 'changes_requested', 'evidence': {"verdict": "ok"}}`,
    `} { verdict: changes_requested\n{"verdict": "ok"}`,
  ])("is never a part of something that only looks like one: %j", (text) => {
    expect(findJson(text).kind).toBe("broken");
  });

  it("is not taken from beside one that is damaged", () => {
    expect(findJson('{"verdict": changes_requested}\n{"verdict":"ok"}').kind).toBe("broken");
  });

  it("is refused when a key occurs twice, also in disguise", () => {
    expect(findJson('{"verdict":"needs_human","verdict":"ok"}').kind).toBe("broken");
    expect(findJson('{"verdict":"needs_human","\\u0076erdict" : "ok"}').kind).toBe("broken");
    expect(findJson('{"a":{"id":1},"b":{"id":1}}').kind).toBe("found");
  });

  it("is refused when it is nested beyond all reason", () => {
    expect(findJson(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`).kind).toBe("broken");
    expect(findJson('{"a":'.repeat(100_000)).kind).toBe("broken");
  });

  it("does not reach the prototype", () => {
    const found = findJson('{"__proto__":{"polluted":true},"verdict":"ok"}');
    expect(found.kind).toBe("found");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("is looked for in two megabytes without harm", () => {
    const content = "a\n".repeat(1_000_000);
    expect(findJson(`{"content":"${content}"}`)).toEqual({ kind: "found", objects: [{ content }] });
    expect(findJson("{".repeat(2_000_000)).kind).toBe("broken");
    expect(findJson('"'.repeat(2_000_000)).kind).toBe("none");
  });

  it("never makes the reader throw", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ",",
      ":",
      " ",
      "\n",
      "a",
      "\0",
      "\ud800",
      "<think>",
      "```",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.json()), { maxLength: 60 }), (pieces) => {
        expect(["found", "none", "broken"]).toContain(findJson(pieces.join("")).kind);
      }),
    );
  });
});
