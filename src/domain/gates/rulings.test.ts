import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type Dismissal,
  type FiledFinding,
  holdsIn,
  isInForce,
  type PairRuling,
  paragraphDigest,
  ruleVerdict,
} from "./rulings.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const base = {
  ...{ notePath: "notes/prices.md", gateId: "prose/calm", noteBlob: "n1", gateBlob: "g1" },
  ...{ by: "Ada", reason: "a quotation", at: "2026-11-17T10:00:00.000Z" },
};
const dismissal = (anchor: string, paragraph = ""): Dismissal => ({
  ...{ ...base, kind: "dismiss", anchor, paragraph },
});
const override = (decision: "pass" | "fail"): PairRuling => ({
  ...{ ...base, kind: "override", modelId: "gpt-5", decision },
  ...{ digests: { note: "w", gate: "s" }, findings: [] },
});
const found = (...list: readonly string[]): readonly FiledFinding[] =>
  list.map((one) => {
    const [severity, anchor = ""] = one.split(":");
    return { severity: severity as FiledFinding["severity"], anchor };
  });

describe("a verdict with rulings", () => {
  it("is that of the worst finding that is not dismissed", () => {
    const filed = { decision: "fail" as const, findings: found("fail:a", "warn:b") };
    expect(ruleVerdict(filed, undefined, [])).toMatchObject({ decision: "fail" });
    expect(ruleVerdict(filed, undefined, [dismissal("b")])).toMatchObject({ decision: "fail" });
    expect(ruleVerdict(filed, undefined, [dismissal("a")])).toMatchObject({ decision: "warn" });
    const both = [dismissal("a"), dismissal("b")];
    expect(ruleVerdict(filed, undefined, both)).toMatchObject({ decision: "pass", filed: "fail" });
  });

  it("stays as it is when none of its findings explains it", () => {
    const none = { decision: "fail" as const, findings: [] };
    expect(ruleVerdict(none, undefined, [dismissal("a")])).toMatchObject({ decision: "fail" });
    const lesser = { decision: "fail" as const, findings: found("warn:a") };
    expect(ruleVerdict(lesser, undefined, [dismissal("a")])).toMatchObject({ decision: "fail" });
  });

  it("is the person's who overrode it, better or worse", () => {
    const filed = { decision: "fail" as const, findings: [] };
    expect(ruleVerdict(filed, override("pass"), [])).toMatchObject({ decision: "pass" });
    const passing = { decision: "pass" as const, findings: [] };
    expect(ruleVerdict(passing, override("fail"), [])).toMatchObject({ decision: "fail" });
  });
});

describe("a dismissal holds", () => {
  const text = "# Prices\n\nAt the end of the day\nit is cheap.\n\nOpen till six.\n";
  it("while its paragraph is unchanged, wherever it is and however it is wrapped", () => {
    const one = dismissal("a", paragraphDigest(text, "at the end of the day", digest));
    const moved = "Open till seven.\n\nAt the end of the day it is cheap.\n";
    expect(holdsIn(moved, digest)(one)).toBe(true);
    expect(holdsIn(text.replace("cheap", "dear"), digest)(one)).toBe(false);
  });

  it("without a quote only while the whole note is unchanged", () => {
    const one = dismissal("a", paragraphDigest(text, undefined, digest));
    expect(holdsIn(text, digest)(one)).toBe(true);
    expect(holdsIn(text.replace("six", "seven"), digest)(one)).toBe(false);
  });

  it("through its last day", () => {
    expect(isInForce({ expires: "2026-11-17" }, "2026-11-17T23:59:00.000Z")).toBe(true);
    expect(isInForce({ expires: "2026-11-17" }, "2026-11-18T00:00:00.000Z")).toBe(false);
    expect(isInForce({}, "2099-01-01T00:00:00.000Z")).toBe(true);
  });
});
