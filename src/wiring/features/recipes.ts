import { findRecipe, readRecipe, recipeFiles } from "../../adapters/workspace/recipe-files.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import type { ChosenRecipe } from "../../orchestration/drafting/plan-draft.ts";

export { recipeFiles as listRecipes };

/** A recipe of the project or a built-in one, by its id; or the one that the caller brings. */
export async function chooseRecipe(
  named: string | Recipe,
  root: string,
  folder?: string,
): Promise<ChosenRecipe> {
  if (typeof named !== "string") return { recipe: named, isFromProject: false };
  const file = await findRecipe(named, root, folder);
  return { recipe: await readRecipe(file), isFromProject: file.origin === "project" };
}

export async function loadRecipe(id: string, root: string): Promise<Recipe> {
  return (await chooseRecipe(id, root)).recipe;
}
