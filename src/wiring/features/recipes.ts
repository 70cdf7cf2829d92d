import { join } from "node:path";
import {
  listRecipes as listIn,
  loadRecipe as loadFrom,
  type RecipeFile,
} from "../../adapters/workspace/recipe-files.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";

const usualFolder = "signoff/recipes";

/** A recipe of the project, or a built-in one. */
export function loadRecipe(id: string, root: string, folder = usualFolder): Promise<Recipe> {
  return loadFrom(id, join(root, folder));
}

/** All recipes by id, each with where it comes from. */
export function listRecipes(root: string, folder = usualFolder): Promise<readonly RecipeFile[]> {
  return listIn(join(root, folder));
}
