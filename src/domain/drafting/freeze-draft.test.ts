import { describe, expect, it } from "vitest";
import { type DraftSpec, freezeDraft } from "./freeze-draft.ts";
import type { Recipe } from "./recipe.ts";

const recipe: Recipe = {
  id: "slogan",
  title: "Slogan",
  format: "plain",
  creatorReply: "plain",
  approval: "phrase",
  phrase: "SHIP IT",
  maxTurns: 5,
  maxCharacters: 500,
  checks: [],
  stopRules: ["early_stop"],
  stopOnNeedsHuman: false,
  creator: { temperature: 0.7, maxTokens: 100 },
  reviewer: { temperature: 0.3, maxTokens: 100 },
  writerBrief: "Write.",
  reviewerBrief: "Judge.",
};

const spec: DraftSpec = {
  brief: "  water bottles ",
  recipe,
  writer: "offline/rules",
  reviewers: [{ model: "offline/rules" }],
};

function planned(more: Partial<DraftSpec>) {
  const plan = freezeDraft({ ...spec, ...more });
  if (plan.kind === "refused") throw new Error(JSON.stringify(plan.problems));
  return plan.input;
}

function problems(more: Partial<DraftSpec>): readonly string[] {
  const plan = freezeDraft({ ...spec, ...more });
  return plan.kind === "planned" ? [] : plan.problems.map(({ field }) => field);
}

describe("freezeDraft", () => {
  it("fills in what the recipe says and trims the brief", () => {
    expect(planned({})).toMatchObject({
      brief: "water bottles",
      assetId: "slogan",
      maxTurns: 5,
      candidates: 1,
      panelRule: "all",
      creator: { model: "offline/rules", temperature: 0.7 },
      reviewers: [{ temperature: 0.3 }],
      previous: [],
    });
  });

  it("takes no binary for a text, wherever it comes from", () => {
    const own = { text: "a\0b", by: "Ada" };
    const context = [{ name: "photo.png", text: "\0PNG" }];
    expect(problems({ brief: "water\0bottles", own, context })).toEqual([
      "brief",
      "context photo.png",
      "text",
    ]);
  });

  it("says everything that is wrong at once, by name", () => {
    expect(
      problems({ brief: " ", maxTurns: 11, candidates: 0, seed: 1.5, temperature: 2.1 }),
    ).toEqual(["brief", "max-turns", "candidates", "seed", "temperature"]);
  });

  it("names the setting of the recipe that a text of one's own is too long for", () => {
    const own = { text: "a".repeat(501), by: "Ada" };
    const message =
      "has 501 characters; at most 500 are allowed by max_characters of the recipe slogan";
    expect(freezeDraft({ ...spec, own })).toMatchObject({ problems: [{ field: "text", message }] });
  });

  it("takes a text of one's own, to work on or to be reviewed only", () => {
    const own = { text: "Warm bread.\n", by: "Ada" };
    const edited = { ...own, text: "Warm bread." };
    expect(planned({ own })).toMatchObject({ edited });
    expect(planned({ own })).not.toHaveProperty("reviewOnly");
    expect(planned({ own, reviewOnly: true })).toMatchObject({ edited, reviewOnly: true });
    expect(planned({})).not.toHaveProperty("edited");
  });

  it("takes texts for context, as long as they are short enough together", () => {
    const context = [{ name: "a.md", text: "Bread" }];
    expect(planned({ context })).toMatchObject({ context });
    expect(planned({ context: [] })).not.toHaveProperty("context");
    const half = { name: "half.md", text: "b".repeat(1_000_001) };
    expect(problems({ context: [half] })).toEqual([]);
    const rest = { name: "rest.md", text: "b".repeat(999_999) };
    expect(problems({ context: [half, rest] })).toEqual([]);
    expect(problems({ context: [half, { ...half, name: "more.md" }] })).toEqual(["context"]);
  });

  it("counts the brief in code points", () => {
    expect(problems({ brief: "🌊".repeat(2_000_000) })).toEqual([]);
    expect(problems({ brief: "🌊".repeat(2_000_001) })).toEqual(["brief"]);
  });

  it.each([
    ["twice the same", ["legal", "legal"]],
    ["a name reviews use themselves", ["legal", "checks"]],
    ["a name with a slash", ["legal", "a/b"]],
    ["an empty name", ["legal", ""]],
  ])("refuses a panel with %s", (_why, labels) => {
    const reviewers = labels.map((label) => ({ label, model: "offline/rules" }));
    expect(problems({ reviewers })).toHaveLength(1);
  });

  it("gives each member of the recipe's panel its role, and refuses names that are not on it", () => {
    const panel = [
      { name: "brand", brief: "You lead the brand." },
      { name: "legal", brief: "You are a lawyer." },
    ];
    const reviewers = panel.map(({ name }) => ({ label: name, model: "offline/rules" }));
    const own: Recipe = { ...recipe, panel, panelRule: "any" };
    expect(planned({ recipe: own, reviewers })).toMatchObject({
      panelRule: "any",
      reviewers: [{ brief: "You lead the brand." }, { brief: "You are a lawyer." }],
    });
    const lawyer = { label: "lawyer", model: "offline/rules" };
    const plan = freezeDraft({ ...spec, recipe: own, reviewers: [...reviewers, lawyer] });
    expect(plan).toMatchObject({
      kind: "refused",
      problems: [
        {
          field: 'reviewer "lawyer"',
          message: "is not on the panel of the recipe slogan, which has brand, legal",
        },
      ],
    });
  });

  it("is a stand-in's signature as soon as one side is a stand-in", () => {
    expect(planned({}).standIn).toBe(true);
    expect(planned({ writer: "ollama/mistral:latest" }).standIn).toBe(true);
    const reviewers = [{ model: "ollama/mistral:latest" }];
    expect(planned({ writer: "ollama/mistral:latest", reviewers }).standIn).toBe(false);
  });

  it("turns all stop rules off when early stop is off", () => {
    expect(planned({ earlyStop: false }).recipe.stopRules).toEqual([]);
  });
});
