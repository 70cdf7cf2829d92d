import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptanceKinds } from "../../domain/gates/acceptance.ts";
import { type LockLine, lockKey, parseLock, renderLock } from "./lock-file.ts";
import { compareBytes } from "./tab-lines.ts";

const line = (notePath: string, more: Partial<LockLine> = {}): LockLine => ({
  notePath,
  gateId: "prose/stock-phrases",
  modelId: "gpt-5",
  acceptedNoteSha: "a".repeat(40),
  acceptedGateSha: "b".repeat(40),
  decision: "pass",
  kind: "full-review",
  format: "gates/1",
  findings: [],
  ...more,
});

const digests = { note: "c".repeat(32), gate: "d".repeat(32) };

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
  digests: fc.constant(digests),
  findings: fc.constantFrom(
    [],
    [{ severity: "warn" as const, anchor: "0".repeat(16) }],
    [
      { severity: "fail" as const, anchor: "1".repeat(16) },
      { severity: "error" as const, anchor: "2".repeat(16) },
    ],
  ),
});
const anyLines = fc.uniqueArray(anyLine, { selector: lockKey });

describe("the lock file", () => {
  it("has one line a verdict, fields behind tabs", () => {
    const findings = [{ severity: "warn" as const, anchor: "0".repeat(16) }];
    expect(renderLock([line("notes/prices.md", { decision: "warn", digests, findings })])).toBe(
      `notes/prices.md\tprose/stock-phrases\tgpt-5\t${"a".repeat(40)}\t${"b".repeat(40)}\twarn\tfull-review\tgates/1\t${"c".repeat(32)}\t${"d".repeat(32)}\twarn:${"0".repeat(16)}\n`,
    );
  });

  it("keeps lines of earlier versions, which have no digests, as they are", () => {
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

  it("keeps several lines of a pair, and names the markers of a merge conflict", () => {
    const ours = renderLock([line("notes/prices.md")]);
    const theirs = renderLock([line("notes/prices.md", { decision: "warn" })]);
    const { lines, problems } = parseLock(
      `<<<<<<< ours\n${ours}=======\n${theirs}>>>>>>> theirs\n`,
    );
    expect(lines.map(({ decision }) => decision)).toEqual(["pass", "warn"]);
    expect(problems.map(({ line: at }) => at)).toEqual([1, 3, 5]);
    expect(problems.every(({ message }) => message.includes("merge conflict"))).toBe(true);
  });

  it("writes the same line once", () => {
    const one = line("notes/prices.md");
    expect(renderLock([one, one])).toBe(renderLock([one]));
  });

  it.each([
    ["an undecided review", renderLock([line("a")]).replace("pass", "unknown")],
    ["a field too few", "a\tb\tc\n"],
    ["a field too many", renderLock([line("a")]).replace("\n", "\tmore\n")],
    ["an id that is none", renderLock([line("a")]).replace("aaaa", "AAAA")],
    ["a digest that is none", renderLock([line("a", { digests })]).replace("cccc", "CCCC")],
    ["a finding that is none", renderLock([line("a", { digests })]).replace("\t-\n", "\twarn:1\n")],
    ["an unknown kind", renderLock([line("a")]).replace("full-review", "because")],
  ])("does not take %s", (_, text) => {
    expect(parseLock(text)).toMatchObject({ lines: [], problems: [{ line: 1 }] });
  });
});
