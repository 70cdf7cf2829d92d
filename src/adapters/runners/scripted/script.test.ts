import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";
import { parseScript } from "./script.ts";

function problemOf(json: string): string {
  try {
    parseScript(json, "replies.json");
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return "no problem";
}

describe("parseScript", () => {
  it("keeps strings raw and sends objects as their JSON text", () => {
    const script = parseScript(
      '{"creator": ["Hydrate Green", {"content": "Sip", "done": true}], "reviewer": ["SHIP IT!"]}',
      "replies.json",
    );
    expect(script.replies).toMatchObject({
      kind: "every",
      asset: {
        creator: [{ text: "Hydrate Green" }, { text: '{"content":"Sip","done":true}' }],
        reviewer: [{ text: "SHIP IT!" }],
      },
    });
  });

  it("reads a file that begins with a byte order mark, as some editors write it", () => {
    const script = parseScript('\ufeff{"creator": ["Sip"]}\r\n', "replies.json");
    expect(script.replies).toMatchObject({ asset: { creator: [{ text: "Sip" }] } });
  });

  it.each([
    ["{", /^replies\.json is not JSON: /],
    ["[]", "replies.json: the document: must be a mapping of keys to values"],
    ['{"creator": "Sip"}', /^replies\.json: creator: expected a list of replies/],
    ['{"creator": [7]}', /^replies\.json: creator\.0: expected a reply/],
    ['{"creator": [["Sip"]]}', /^replies\.json: creator\.0: expected a reply/],
    ['{"creater": []}', "replies.json: creater: is not a known key (did you mean creator?)"],
    ['{"assets": {"title": {"reviewer": {}}}}', /^replies\.json: assets\.title\.reviewer: /],
    ['{"assets": {}, "creator": []}', /^replies\.json: creator: is not a known key/],
    [
      '{"reviewers": {"editor": ["fine", {"mutate_files": {"a.md": 3}}]}}',
      /^replies\.json: reviewers\.editor\.1\.mutate_files\.a\.md: /,
    ],
    ['{"creator": [{"$error": {"retryable": "yes"}}]}', /creator\.0\.\$error\.retryable: /],
    ['{"creator": [{"$error": {}, "content": "Sip"}]}', /creator\.0\.content: is not a known key/],
  ])("names the file and the place for %s", (json, problem) => {
    const said = problemOf(json);
    if (typeof problem === "string") expect(said).toBe(problem);
    else expect(said).toMatch(problem);
  });

  it("never sends mutate_files to the reader, and takes null for none", () => {
    const script = parseScript(
      '{"creator": [{"content": "x", "mutate_files": {"a.md": "hi"}}, {"content": "y", "mutate_files": null}]}',
      "replies.json",
    );
    const replies = script.replies.kind === "every" ? (script.replies.asset.creator ?? []) : [];
    expect(replies.map((reply) => reply.text)).toEqual(['{"content":"x"}', '{"content":"y"}']);
    expect(replies.map((reply) => reply.files.size)).toEqual([1, 0]);
  });

  it("turns half a surrogate pair into the replacement character, as storage would", () => {
    const script = parseScript('{"creator": ["Sip \\ud83d now 🌊"]}', "replies.json");
    expect(script.replies).toMatchObject({ asset: { creator: [{ text: "Sip \u{fffd} now 🌊" }] } });
  });

  it("refuses an object too deep to be sent instead of crashing", () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    expect(problemOf(`{"creator": [${deep}]}`)).toMatch(
      /^replies\.json: creator\.0: cannot be sent/,
    );
  });
});
