import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { withProgress } from "../shell/common-options.ts";
import type { FollowFlags } from "../shell/follow-run.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { NewRecipeFlags } from "./recipes-actions.ts";

const actions = () => import("./recipes-actions.ts");

/** `signoff recipes …`: the kinds of text, and how each is judged. */
export function registerRecipes(program: Command, cli: CliContext): void {
  const recipes = program
    .command("recipes")
    .description(
      "list, show, check, make and try recipes: the kinds of text and how each is judged",
    )
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
  recipes
    .command("new")
    .description("write a recipe into the project, to start your own from")
    .argument("<id>", "lower-case words joined by - or _")
    .option("--title <title>", "what the text is called (default: made from the id)")
    .option("--like <recipe>", "begin with a copy of this recipe")
    .action(async (id: string, flags: NewRecipeFlags) =>
      (await actions()).newRecipe(cli, id, flags),
    );
  const trial = recipes
    .command("try")
    .description("run a recipe on the rule-based stand-ins, and keep nothing")
    .argument("<recipe>", "its id, or the path of its file")
    .argument("[brief]", "what to write about: in words, @file, a path, or - for standard input");
  withProgress(trial).action(
    async (recipe: string, brief: string | undefined, flags: FollowFlags) => {
      const { tryRecipe } = await import("./start-draft-command.ts");
      await tryRecipe(cli, { recipe, brief, flags });
    },
  );
}

const examples = `
A project's own recipes are files in signoff/recipes; one with the id of a built-in recipe replaces it.

Examples:
  $ signoff recipes list
  $ signoff recipes new press_release --like release_note
  $ signoff recipes check
  $ signoff recipes try press_release "a night train to Lisbon"`;
