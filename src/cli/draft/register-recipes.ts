import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";

const actions = () => import("./recipes-actions.ts");

/** `signoff recipes …`: the kinds of text, and how each is judged. */
export function registerRecipes(program: Command, cli: CliContext): void {
  const recipes = program
    .command("recipes")
    .description("list, show and check recipes: the kinds of text and how each is judged")
    .addHelpText("after", examples);
  recipes
    .command("list")
    .description("list the built-in recipes and the project's own")
    .action(async (flags: JsonFlags) => (await actions()).listRecipesCommand(cli, flags));
  recipes
    .command("show")
    .description("print a recipe, to read it or to start your own from it")
    .argument("<id>", "as shown by `recipes list`")
    .action(async (id: string, flags: JsonFlags) => (await actions()).showRecipe(cli, id, flags));
  recipes
    .command("check")
    .description("report every fault in recipes, with file, line and field")
    .argument("[files...]", "recipe files (default: all of the project's)")
    .action(async (files: readonly string[], flags: JsonFlags) =>
      (await actions()).checkRecipes(cli, files, flags),
    );
}

const examples = `
A project's own recipes are files in signoff/recipes; one with the id of a built-in recipe replaces it.

Examples:
  $ signoff recipes list
  $ signoff recipes check`;
