import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defined } from "../values/defined.ts";
import { fingerprintFinding, groupByNote, lineOfQuote, workOf } from "./findings.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const print = (message: string, quote?: string, gateId = "prose/stock-phrases") =>
  fingerprintFinding(
    {
      gateId,
      notePath: "notes/prices.md",
      finding: { message, ...defined({ quote }) },
    },
    digest,
  );

describe("a fingerprint", () => {
  it("with a quote survives any rewording and the ways quotes are written", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(print(one, "At the  end of the day").id).toBe(
          print(other, "“at the end\nof the day…”".replace("…", "...")).id,
        );
      }),
    );
    expect(print("x", "at the end of the day").survivesRewording).toBe(true);
  });

  it("without a quote does not, and says so", () => {
    expect(print("no source").survivesRewording).toBe(false);
    expect(print("no source").id).not.toBe(print("a source is missing").id);
  });

  it("tells gates and quotes apart", () => {
    expect(print("x", "one").id).not.toBe(print("x", "two").id);
    expect(print("x", "one").id).not.toBe(print("x", "one", "prose/other").id);
    expect(print("one").id).not.toBe(print("x", "one").id);
  });
});

describe("work", () => {
  const findings = [
    { severity: "info" as const, message: "nice" },
    { severity: "warn" as const, message: "no source" },
  ];
  it("is what warn and fail reviews found, info left out", () => {
    expect(workOf({ decision: "warn", findings })).toEqual([findings[1]]);
    expect(workOf({ decision: "pass", findings })).toEqual([]);
    expect(workOf({ decision: "unknown", findings })).toEqual([]);
  });

  it("is the summary when a review names no finding", () => {
    expect(workOf({ decision: "fail", findings: [], summary: "Contradicts itself." })).toEqual([
      { severity: "fail", message: "Contradicts itself." },
    ]);
  });

  it("is grouped by note, most first", () => {
    const items = ["b", "a", "c", "c"].map((notePath) => ({ notePath }));
    expect(groupByNote(items).map(({ notePath }) => notePath)).toEqual(["c", "a", "b"]);
  });
});

it("finds the line of a quotation that is wrapped and marked up otherwise", () => {
  const text = "# Salt\n\nThe jars are new.\n\n*Salt* is\nkept “dry”.\n";
  expect(lineOfQuote(text, "Salt is kept dry")).toBe(5);
  expect(lineOfQuote(text, "kept\n**dry**")).toBe(6);
  expect(lineOfQuote(text, "pepper")).toBeUndefined();
  expect(lineOfQuote(text, " ")).toBeUndefined();
});
