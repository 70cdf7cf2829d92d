import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRecipe } from "../../contract/drafting/recipe.ts";
import { runChecks } from "../../domain/drafting/checks.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { matchesPattern } from "../../orchestration/drafting/matches-pattern.ts";
import { demoScript } from "./demo-script.ts";

const facts = { chapter: "00:00 Intro", line: "Host: Welcome to the show." };

test.each(assetKinds)("the scripted %s passes the recipe's own checks in both turns", (kind) => {
  const file = new URL(`../../../recipes/${kind}.md`, import.meta.url);
  const parsed = parseRecipe(readFileSync(file, "utf8"), kind);
  if (parsed.kind !== "parsed") throw new Error(`${kind} cannot be read`);
  for (const { content } of demoScript(kind, facts).creator) {
    const errors = runChecks(parsed.value.checks, content, { matches: matchesPattern });
    expect(errors.filter(({ severity }) => severity === "error")).toEqual([]);
  }
});

test("a locked text is given back as it is", () => {
  const { creator } = demoScript("slug", { ...facts, lockedText: "slow-bread" });
  expect(creator.map(({ content }) => content)).toEqual(["slow-bread", "slow-bread"]);
});
