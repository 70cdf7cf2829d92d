import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlannablePair, planReviews, replyTokensPerPair } from "./review-plan.ts";
import { lensOf } from "./snapshots.ts";

const pairOf = (path: string, id: string, bytes = 2000): PlannablePair => ({
  note: { path, blobSha: `n-${path}`, bytes },
  gate: { id, blobSha: `g-${id}`, bytes: 1500 },
});
const options = {
  ...{ modelId: "gpt-5", contextTokens: 100_000, callTokens: 100_000, maxPairs: 10 },
} as const;
const matrix = (notes: readonly string[], gates: readonly string[]) =>
  notes.flatMap((note) => gates.map((gate) => pairOf(note, gate)));
const named = (pairs: readonly PlannablePair[]) =>
  pairs.map(({ note, gate }) => `${note.path}:${gate.id}`);

describe("stale pairs become calls", () => {
  const pairs = matrix(["b.md", "a.md"], ["prose/x", "prose/y", "semantic/z"]);

  it("by note: one note and the gates of one lens", () => {
    const { plans } = planReviews(pairs, { ...options, strategy: "by-note" });
    expect(plans.map(({ shape, pairs: grouped }) => [shape, named(grouped)])).toEqual([
      ["bundle", ["a.md:prose/x", "a.md:prose/y"]],
      ["bundle", ["b.md:prose/x", "b.md:prose/y"]],
      ["bundle", ["a.md:semantic/z"]],
      ["bundle", ["b.md:semantic/z"]],
    ]);
  });

  it("by gate: one gate and several notes", () => {
    const { plans } = planReviews(pairs, { ...options, strategy: "by-gate" });
    expect(plans.map(({ shape, pairs: grouped }) => [shape, named(grouped)])).toEqual([
      ["sweep", ["a.md:prose/x", "b.md:prose/x"]],
      ["sweep", ["a.md:prose/y", "b.md:prose/y"]],
      ["sweep", ["a.md:semantic/z", "b.md:semantic/z"]],
    ]);
  });

  it("cheapest: whichever sends fewer tokens, per lens", () => {
    const many = matrix(["a.md", "b.md", "c.md"], ["prose/x"]);
    const wide = matrix(["a.md"], ["semantic/x", "semantic/y", "semantic/z"]);
    const { plans } = planReviews([...many, ...wide], { ...options, strategy: "cheapest" });
    expect(plans.map(({ shape, pairs: grouped }) => [shape, grouped.length])).toEqual([
      ["sweep", 3],
      ["bundle", 3],
    ]);
  });

  it("never into a call the model cannot read", () => {
    const book = pairOf("book.md", "prose/x", 1_000_000);
    const { plans, tooLarge } = planReviews([book, pairOf("a.md", "prose/x")], {
      ...options,
      strategy: "by-gate",
    });
    expect(named(tooLarge)).toEqual(["book.md:prose/x"]);
    expect(plans).toHaveLength(1);
  });

  it("with a long note in one call, as far as the model reads that much", () => {
    const long = ["prose/x", "prose/y"].map((id) => pairOf("long.md", id, 60_000));
    const short = matrix(["a.md", "b.md"], ["prose/x"]);
    const limits = { ...options, callTokens: 8_000, strategy: "by-note" } as const;
    const { plans, tooLarge } = planReviews([...long, ...short], limits);
    expect(plans.map(({ pairs: own }) => named(own))).toEqual([
      ["a.md:prose/x"],
      ["b.md:prose/x"],
      ["long.md:prose/x", "long.md:prose/y"],
    ]);
    expect(tooLarge).toEqual([]);
    const sweeps = planReviews([...long, ...short], { ...limits, strategy: "by-gate" }).plans;
    expect(sweeps.map(({ pairs: own }) => named(own))).toEqual([
      ["a.md:prose/x", "b.md:prose/x"],
      ["long.md:prose/x"],
      ["long.md:prose/y"],
    ]);
  });
});

it("plans every pair exactly once, within all limits, whatever the order they come in", () => {
  const pair = fc
    .tuple(
      fc.constantFrom("a.md", "b.md", "c.md", "d.md"),
      fc.constantFrom("prose/x", "prose/y", "semantic/x", "semantic/y"),
    )
    .map(([note, gate]) => pairOf(note, gate, 100 + note.charCodeAt(0) * 100));
  const pairs = fc.uniqueArray(pair, { selector: ({ note, gate }) => `${note.path}:${gate.id}` });
  const strategy = fc.constantFrom("by-note" as const, "by-gate" as const, "cheapest" as const);
  fc.assert(
    fc.property(
      pairs,
      strategy,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 9_000, max: 20_000 }),
      (stale, chosen, maxPairs, contextTokens) => {
        const room = { maxPairs, contextTokens, callTokens: contextTokens };
        const asked = { modelId: "gpt-5", strategy: chosen, ...room };
        const set = planReviews(stale, asked);
        const planned = [...set.plans.flatMap((plan) => plan.pairs), ...set.tooLarge];
        expect(named(planned).sort()).toEqual(named(stale).sort());
        expect(planReviews([...stale].reverse(), asked)).toEqual(set);
        for (const plan of set.plans) {
          expect(plan.pairs.length).toBeLessThanOrEqual(maxPairs);
          expect(plan.tokens.high + plan.pairs.length * replyTokensPerPair).toBeLessThanOrEqual(
            contextTokens,
          );
          expect(new Set(plan.pairs.map(({ gate }) => lensOf(gate.id))).size).toBe(1);
          const single = plan.shape === "bundle" ? "note" : "gate";
          expect(new Set(plan.pairs.map((member) => member[single].blobSha)).size).toBe(1);
        }
      },
    ),
  );
});
