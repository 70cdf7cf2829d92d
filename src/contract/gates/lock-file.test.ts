import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptanceKinds } from "../../domain/gates/acceptance.ts";
import {
  compareBytes,
  type LockLine,
  lockKey,
  mergeLock,
  parseLock,
  renderLock,
} from "./lock-file.ts";

const line = (notePath: string, more: Partial<LockLine> = {}): LockLine => ({
  notePath,
  gateId: "prose/stock-phrases",
  modelId: "gpt-5",
  acceptedNoteSha: "a".repeat(40),
  acceptedGateSha: "b".repeat(40),
  decision: "pass",
  kind: "full-review",
  format: "gates/1",
  ...more,
});

const anyText = fc.string({ unit: "binary" });
const anyLine = fc.record({
  notePath: anyText,
  gateId: anyText,
  modelId: anyText,
  acceptedNoteSha: fc.constantFrom("a".repeat(40), "c".repeat(64)),
  acceptedGateSha: fc.constantFrom("b".repeat(40)),
  decision: fc.constantFrom("pass" as const, "warn" as const, "fail" as const),
  kind: fc.constantFrom(...acceptanceKinds),
  format: anyText,
});
const anyLines = fc.uniqueArray(anyLine, { selector: lockKey });

describe("the lock file", () => {
  it("has one line a pair, fields behind tabs", () => {
    expect(renderLock([line("notes/prices.md")])).toBe(
      `notes/prices.md\tprose/stock-phrases\tgpt-5\t${"a".repeat(40)}\t${"b".repeat(40)}\tpass\tfull-review\tgates/1\n`,
    );
  });

  it("reads back what was written, for any names", () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const { lines: read, problems } = parseLock(renderLock(lines));
        expect(problems).toEqual([]);
        const byKey = (a: LockLine, b: LockLine) => compareBytes(lockKey(a), lockKey(b));
        expect([...read].sort(byKey)).toEqual([...lines].sort(byKey));
      }),
    );
  });

  it("is the same file for the same lines in any order, sorted by bytes", () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const text = renderLock(lines);
        expect(renderLock([...lines].reverse())).toBe(text);
        const rows = text.split("\n").slice(0, -1);
        expect(rows).toEqual(
          [...rows].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
        );
      }),
    );
  });

  it("with a merge conflict keeps the lines that are certain", () => {
    const ours = renderLock([line("notes/prices.md")]);
    const theirs = renderLock([line("notes/prices.md", { decision: "warn" })]);
    const text = `<<<<<<< ours\n${ours}=======\n${theirs}>>>>>>> theirs\n${renderLock([line("notes/returns.md")])}`;
    const { lines, problems } = parseLock(text);
    expect(lines.map(({ notePath }) => notePath)).toEqual(["notes/returns.md"]);
    expect(problems.map(({ line: at }) => at)).toEqual([1, 3, 4, 5]);
    const markers = problems.filter(({ message }) => message.includes("merge conflict"));
    expect(markers.map(({ line: at }) => at)).toEqual([1, 3, 5]);
  });

  it("takes the same line twice for once", () => {
    const text = renderLock([line("notes/prices.md")]);
    expect(parseLock(text + text)).toEqual({ lines: [line("notes/prices.md")], problems: [] });
  });

  it.each([
    ["an undecided review", renderLock([line("a")]).replace("pass", "unknown")],
    ["a field too few", "a\tb\tc\n"],
    ["a field too many", renderLock([line("a")]).replace("\n", "\tmore\n")],
    ["an id that is none", renderLock([line("a")]).replace("aaaa", "AAAA")],
    ["an unknown kind", renderLock([line("a")]).replace("full-review", "because")],
  ])("does not take %s", (_, text) => {
    expect(parseLock(text)).toMatchObject({ lines: [], problems: [{ line: 1 }] });
  });
});

it("merging keeps what the store does not know, prefers what it knows and drops what is gone", () => {
  const present = [
    line("kept.md"),
    line("both.md"),
    line("gone.md"),
    line("kept.md", { gateId: "old/gate" }),
  ];
  const known = [line("both.md", { decision: "warn" }), line("new.md"), line("deleted.md")];
  const merged = mergeLock({
    present,
    known,
    noteExists: (path) => !["gone.md", "deleted.md"].includes(path),
    gateExists: (id) => id !== "old/gate",
  });
  expect(merged.map(({ notePath, decision }) => `${notePath} ${decision}`).sort()).toEqual([
    "both.md warn",
    "kept.md pass",
    "new.md pass",
  ]);
});
