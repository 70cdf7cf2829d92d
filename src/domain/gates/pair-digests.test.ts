import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { isWatchedPart } from "./note-parts.ts";
import { type DigestedGate, digestAsBefore, digestGate, digestNote } from "./pair-digests.ts";

const note = (type: string, tags: string, body = "Bring it back.") =>
  parseNote(`---\ntype: ${type}\ntags: [${tags}]\n---\n# Returns\n\n${body}\n`);
const gate: DigestedGate = {
  ...{ kind: "prose", body: "Be clear.", watches: ["body"], rules: [] },
  ...{ requiresTrait: [], requiresType: [] },
} as unknown as DigestedGate;
/** As long as SHA-256, and different for different texts. */
const digest = (text: string) =>
  Array.from(text)
    .reduce((sum, one) => (sum * 31 + (one.codePointAt(0) ?? 0)) % 1_000_000_007, 7)
    .toString(16)
    .padStart(64, "0")
    .split("")
    .reverse()
    .join("");

describe("the digests of a pair", () => {
  it("have 32 characters each", () => {
    const former = digestAsBefore(note("a", ""), gate, digest);
    const all = [digestNote(note("a", ""), gate, digest), digestGate(gate, digest)];
    expect([...all, former.note, former.gate].map((one) => one?.length)).toEqual([32, 32, 32, 32]);
  });

  it("change with the gate's kind, words, rules and what it asks of a note", () => {
    const others: readonly Partial<DigestedGate>[] = [
      { kind: "rule" as DigestedGate["kind"] },
      { body: "Be short." },
      { watches: ["title"] },
      { requiresType: ["policy"] },
      { requiresTrait: ["public"] },
    ];
    const digests = others.map((more) => digestGate({ ...gate, ...more }, digest));
    expect(new Set([digestGate(gate, digest), ...digests]).size).toBe(others.length + 1);
    expect(digestGate({ ...gate, description: "x" }, digest)).toBe(digestGate(gate, digest));
  });

  it("of a note ignore a type that the gate does not ask for; former ones did not", () => {
    const [one, other] = [note("policy", ""), note("story", "")];
    expect(digestNote(one, gate, digest)).toBe(digestNote(other, gate, digest));
    const asks = { ...gate, requiresType: ["policy"] };
    expect(digestNote(one, asks, digest)).not.toBe(digestNote(other, asks, digest));
    const former = [one, other].map((each) => digestAsBefore(each, gate, digest).note);
    expect(former[0]).not.toBe(former[1]);
    const changed = note("policy", "", "Keep it.");
    expect(digestAsBefore(changed, gate, digest).note).not.toBe(former[0]);
  });

  it("of a note whose front matter cannot be read are unknown", () => {
    const broken = parseNote("---\ntags: [\n---\nBring it back.\n");
    expect(digestNote(broken, gate, digest)).toBeUndefined();
    expect(digestAsBefore(broken, gate, digest)).not.toHaveProperty("note");
  });
});

it("a gate watches parts of a note by name", () => {
  const parts = ["body", "title", "description", "links", "frontmatter.type"];
  expect(parts.every(isWatchedPart)).toBe(true);
  for (const one of ["frontmatter.", "frontmatter", "something.long.enough", ""])
    expect(isWatchedPart(one)).toBe(false);
});
