import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";

/** `signoff recipes …`: what can be written, and how it is judged. */
export function registerRecipes(program: Command, cli: CliContext): void {
  const recipes = program
    .command("recipes")
    .description("what can be written, and how it is judged")
    .addHelpText("after", examples);
  recipes
    .command("list")
    .description("built-in recipes and the project's own")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff recipes list --json")
    .action(async (flags: JsonFlags) => (await actions()).listRecipesCommand(cli, flags));
  recipes
    .command("show")
    .description("the text of a recipe, to read or to start your own from")
    .argument("<id>", "as `recipes list` shows it")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  $ signoff recipes show slogan > signoff/recipes/tagline.md",
    )
    .action(async (id: string, flags: JsonFlags) => (await actions()).showRecipe(cli, id, flags));
  recipes
    .command("check")
    .description("say what is wrong with recipes, each fault with file, line and field")
    .argument("[files...]", "recipe files; without any, all of the project's")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff recipes check signoff/recipes/tagline.md")
    .action(async (files: readonly string[], flags: JsonFlags) =>
      (await actions()).checkRecipes(cli, files, flags),
    );
}

const examples = `
A project's own recipes are files in signoff/recipes; one with the id of a built-in takes its place.

Examples:
  $ signoff recipes list
  $ signoff recipes check`;

function actions() {
  return import("./recipes-actions.ts");
}
