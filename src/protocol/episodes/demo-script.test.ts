import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRecipe } from "../../contract/drafting/recipe.ts";
import { checksOf, runChecks } from "../../domain/drafting/checks.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { matchesPattern } from "../../orchestration/drafting/matches-pattern.ts";
import { demoScript } from "./demo-script.ts";

const facts = { chapter: "00:00 Intro", line: "Host: Welcome to the show.", turns: 3 };
const odd = [
  facts,
  { ...facts, line: "A very long first paragraph without any end. ".repeat(500) },
  { ...facts, chapter: "00:00 Dr. Who? And why! etc. " },
  { ...facts, chapter: "Podcast", line: "" },
  { ...facts, chapter: "00:00 日本語の章 🎙️", line: "日本語".repeat(400) },
  { ...facts, chapter: "" },
];

test.each(assetKinds)("the scripted %s passes the recipe's checks in both turns", (kind) => {
  const file = new URL(`../../../recipes/${kind}.md`, import.meta.url);
  const parsed = parseRecipe(readFileSync(file, "utf8"), kind);
  if (parsed.kind !== "parsed") throw new Error(`${kind} cannot be read`);
  for (const about of odd) {
    for (const { content } of demoScript(kind, about).creator) {
      const errors = runChecks(checksOf(parsed.value), content, { matches: matchesPattern });
      expect(errors.filter(({ severity }) => severity === "error")).toEqual([]);
    }
  }
});

test("there is a reply for every turn that the loop may take", () => {
  const { creator, reviewer } = demoScript("slug", { ...facts, turns: 7 });
  expect([creator.length, reviewer.length]).toEqual([7, 7]);
  expect(demoScript("slug", { ...facts, turns: 1 }).creator).toHaveLength(2);
});

test("a locked text is given back as it is", () => {
  const { creator } = demoScript("slug", { ...facts, lockedText: "slow-bread" });
  expect(creator.map(({ content }) => content)).toEqual(Array(3).fill("slow-bread"));
});
