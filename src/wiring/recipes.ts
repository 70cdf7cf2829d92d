import { join } from "node:path";
import { loadRecipe as loadFrom } from "../adapters/workspace/recipe-files.ts";
import type { Recipe } from "../domain/drafting/recipe.ts";

/** A recipe of the project, or a built-in one. */
export function loadRecipe(id: string, root: string): Promise<Recipe> {
  return loadFrom(id, join(root, "signoff", "recipes"));
}
