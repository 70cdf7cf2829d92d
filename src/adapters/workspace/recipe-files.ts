import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedOrThrow } from "../../contract/documents/file-problem.ts";
import { parseRecipe, recipeAmong } from "../../contract/drafting/recipe.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { shippedFolder } from "./shipped-folder.ts";

export interface RecipeFile {
  readonly id: string;
  readonly path: string;
  readonly origin: "built-in" | "project";
}

const usualFolder = "signoff/recipes";

/** All recipes by id; a recipe of the project replaces a built-in one with the same id. */
export async function recipeFiles(
  root: string,
  folder = usualFolder,
): Promise<readonly RecipeFile[]> {
  const builtIn = await recipesIn(shippedFolder("recipes", "slogan.md"), "built-in");
  const own = await recipesIn(join(root, folder), "project");
  const byId = new Map([...builtIn, ...own].map((file) => [file.id, file]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function findRecipe(id: string, root: string, folder?: string): Promise<RecipeFile> {
  return recipeAmong(await recipeFiles(root, folder), id);
}

export async function readRecipe({ id, path }: RecipeFile): Promise<Recipe> {
  const recipe = parsedOrThrow(parseRecipe(await readFile(path, "utf8"), path), {
    code: "recipe-invalid",
    heading: `The recipe "${id}" cannot be used.`,
    facts: { recipe: id },
  });
  if (recipe.id !== id) {
    throw new ConfigurationError(
      `${path}: the id is "${recipe.id}", the file's name says "${id}".`,
      {
        code: "recipe-invalid",
        facts: { recipe: id },
        hint: "Name the file after its id.",
      },
    );
  }
  return recipe;
}

async function recipesIn(
  folder: string,
  origin: RecipeFile["origin"],
): Promise<readonly RecipeFile[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  return names.map((name) => ({ id: name.slice(0, -3), path: join(folder, name), origin }));
}
