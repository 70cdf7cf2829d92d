import { describe, expect, it } from "vitest";
import {
  compactVerdicts,
  countingVerdict,
  type FiledVerdict,
  fitsPair,
  missingVerdict,
  type PresentPair,
} from "./counting-verdict.ts";

const filed = (more: Partial<FiledVerdict> = {}): FiledVerdict => ({
  noteBlob: "n1",
  gateBlob: "g1",
  decision: "pass",
  kind: "full-review",
  ...more,
});
const present: PresentPair = {
  noteBlob: "n1",
  gateBlob: "g1",
  digests: () => ({ note: "watched", gate: "shown" }),
  formerDigests: () => ({}),
};
const nothing = () => ({});

describe("a verdict fits", () => {
  it("the blobs it was filed for", () => {
    expect(fitsPair(filed(), present, nothing)).toBe(true);
    expect(fitsPair(filed({ noteBlob: "n0" }), present, nothing)).toBe(false);
    expect(fitsPair(filed({ gateBlob: "g0" }), present, nothing)).toBe(false);
  });

  it("other blobs with the same digests, filed or found through the stored texts", () => {
    const other = { noteBlob: "n0", gateBlob: "g0" };
    const digests = { note: "watched", gate: "shown" };
    expect(fitsPair(filed({ ...other, digests }), present, nothing)).toBe(true);
    expect(fitsPair(filed(other), present, () => digests)).toBe(true);
    expect(fitsPair(filed(other), present, () => ({ note: "watched" }))).toBe(false);
    expect(
      fitsPair(filed({ ...other, digests: { ...digests, note: "edited" } }), present, nothing),
    ).toBe(false);
  });

  it("never an unreadable note of another version", () => {
    const unreadable = { ...present, digests: () => ({ gate: "shown" }) };
    expect(fitsPair(filed({ noteBlob: "n0" }), unreadable, nothing)).toBe(false);
  });
});

describe("of several fitting verdicts", () => {
  it("the worst counts, in any order", () => {
    const all = [filed(), filed({ decision: "fail" }), filed({ decision: "warn" })];
    expect(countingVerdict(all)?.decision).toBe("fail");
    expect(countingVerdict(all.toReversed())?.decision).toBe("fail");
    expect(countingVerdict([])).toBeUndefined();
  });

  it("a vote or an acknowledgement counts before single verdicts, and the worst of those", () => {
    const vote = filed({ kind: "vote", decision: "warn" });
    expect(countingVerdict([filed({ decision: "fail" }), vote])).toBe(vote);
    const acked = filed({ kind: "manual-ack", decision: "pass" });
    expect(countingVerdict([acked, filed({ decision: "fail" }), vote])).toBe(vote);
  });
});

describe("a lock is given", () => {
  const [pass, fail] = [filed(), filed({ decision: "fail" })];
  it("what counts and is not said in it", () => {
    expect(missingVerdict([], [pass])).toBe(pass);
    expect(missingVerdict([pass], [fail])).toBe(fail);
  });

  it("nothing better than what it says, and nothing twice", () => {
    expect(missingVerdict([fail], [pass])).toBeUndefined();
    expect(missingVerdict([pass], [filed()])).toBeUndefined();
    expect(missingVerdict([], [])).toBeUndefined();
  });
});

it("a compacted lock keeps the verdict that counts and every other one that does not pass", () => {
  const [pass, warn, fail] = (["pass", "warn", "fail"] as const).map((decision) =>
    filed({ decision }),
  ) as [FiledVerdict, FiledVerdict, FiledVerdict];
  expect(compactVerdicts([pass, warn], [pass, fail, warn])).toEqual([warn, fail, warn]);
  expect(compactVerdicts([], [pass, fail])).toEqual([pass, fail]);
});
