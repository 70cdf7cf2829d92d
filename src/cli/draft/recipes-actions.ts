import { join, relative } from "node:path";
import { type FileProblem, messageWithHint } from "../../contract/documents/file-problem.ts";
import {
  type ParsedRecipe,
  parseRecipe,
  recipeAmong,
  recipeId,
} from "../../contract/drafting/recipe.ts";
import type { Check } from "../../domain/drafting/recipe.ts";
import { capitalised } from "../../domain/values/capitalised.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { checkToolsFor } from "../../orchestration/drafting/check-tools.ts";
import { listRecipes } from "../../wiring/features/recipes.ts";
import { kindOfPath, readInputText, saveText } from "../../wiring/project/save-text.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { renderColumns } from "../shell/columns.ts";
import { copyable, shellWords } from "../shell/copyable-command.ts";
import { exitCode } from "../shell/exit-code.ts";
import type { Span } from "../shell/lay-out.ts";
import {
  type JsonFlags,
  printErr,
  printJson,
  printOut,
  printResult,
  rootOf,
} from "../shell/print.ts";
import { accent, bad, muted } from "../shell/styles.ts";
import { recipeTemplate } from "./recipe-template.ts";

export interface NewRecipeFlags extends JsonFlags {
  readonly title?: string;
  readonly like?: string;
}

/** Writes a recipe into the project, to be changed there. */
export async function newRecipe(cli: CliContext, id: string, flags: NewRecipeFlags): Promise<void> {
  const root = rootOf(cli);
  if (!recipeId.test(id)) {
    const hint = "Use lower-case words joined by - or _, such as press_release.";
    throw new ConfigurationError(`"${id}" cannot be the id of a recipe.`, {
      ...{ code: "recipe-invalid", facts: { recipe: id }, hint },
    });
  }
  const { settings } = await settingsFor(cli, { root, quiet: flags.json === true });
  const path = join(root, settings.drafting.recipes, `${id}.md`);
  const shown = relative(cli.cwd, path);
  if (kindOfPath(path) !== undefined) {
    throw new ConfigurationError(`There is a recipe ${shown} already.`, {
      ...{ code: "recipe-exists", facts: { recipe: id }, hint: "Change it, or choose another id." },
    });
  }
  const title = flags.title ?? capitalised(id.replaceAll(/[-_]/gu, " "));
  const text =
    flags.like === undefined
      ? recipeTemplate(id, title)
      : renamed(recipeAmong(await readAll(cli, flags), flags.like).text, id, title);
  await saveText(path, text);
  const commands = [
    shellWords(["signoff", "recipes", "check", shown]),
    shellWords(["signoff", "recipes", "try", id, "what it is about"]),
  ];
  printResult(cli, flags, { id, path: shown }, [
    `${shown} was written. Change it, then:`,
    ...commands.map((command) => ["  ", copyable(command)]),
  ]);
}

function renamed(text: string, id: string, title: string): string {
  return text
    .replace(/^id:.*$/mu, `id: ${id}`)
    .replace(/^title:.*$/mu, () => `title: ${JSON.stringify(title)}`);
}

interface ReadRecipe {
  readonly id: string;
  readonly origin: "built-in" | "project";
  readonly path: string;
  readonly text: string;
  readonly parsed: ParsedRecipe;
}

export async function listRecipesCommand(cli: CliContext, flags: JsonFlags): Promise<void> {
  const recipes = await readAll(cli, flags);
  const about = recipes.map(({ id, origin, path, parsed }) => ({
    id,
    title: parsed.kind === "parsed" ? parsed.value.title : null,
    origin,
    path,
    valid: parsed.kind === "parsed",
  }));
  const rows = about.map(({ id, title, origin, valid }): readonly Span[] => [
    accent(id),
    muted(origin),
    valid ? { text: title ?? "" } : bad("invalid: see `signoff recipes check`"),
  ]);
  printResult(cli, flags, { recipes: about }, (layout) => renderColumns(rows, layout));
}

export async function showRecipe(cli: CliContext, id: string, flags: JsonFlags): Promise<void> {
  const { origin, path, text } = recipeAmong(await readAll(cli, flags), id);
  if (flags.json === true) return printJson(cli, { id, origin, path, text });
  if (cli.screen.out.isTerminal) printOut(cli, text.trimEnd());
  else cli.screen.out.write(text);
}

export async function checkRecipes(
  cli: CliContext,
  files: readonly string[],
  flags: JsonFlags,
): Promise<void> {
  const checked =
    files.length === 0
      ? (await readAll(cli, flags)).filter(({ origin }) => origin === "project")
      : await Promise.all(files.map((file) => readOne(cli, file)));
  const faults = (await Promise.all(checked.map(faultsOf))).flat();
  cli.end(faults.length === 0 ? exitCode.accepted : exitCode.usage);
  const json = {
    checked: checked.map(({ path }) => path),
    faults: faults.map((each) => ({ ...each })),
  };
  for (const fault of flags.json === true ? [] : faults) {
    const { file, line = 1, column, path } = fault;
    const at = `${file}:${line}${column === undefined ? "" : `:${column}`}`;
    printErr(cli, [[bad(path === "" ? at : `${at} ${path}`), `: ${messageWithHint(fault)}`]]);
  }
  const said = `${renderCount(checked.length, "recipe")} checked, ${renderCount(faults.length, "fault")}.`;
  printResult(cli, flags, json, said);
}

async function faultsOf(read: ReadRecipe): Promise<readonly FileProblem[]> {
  const { id, path, parsed } = read;
  if (parsed.kind === "problems") return parsed.problems;
  const unusable = await patternFaults(read, parsed.value.checks);
  if (unusable.length > 0) return unusable;
  if (parsed.value.id === id) return [];
  const message = `is "${parsed.value.id}", but the file is named "${id}"`;
  return [{ file: path, line: 2, path: "id", message }];
}

/** Patterns are compiled by the engine that will run them. */
async function patternFaults(
  { path, text }: ReadRecipe,
  checks: readonly Check[],
): Promise<readonly FileProblem[]> {
  const { matches } = await checkToolsFor(checks);
  return checks.flatMap((check, at) => {
    if (check.kind !== "pattern") return [];
    try {
      matches(check.pattern, "");
      return [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const lines = text.split("\n");
      const line = lines.findIndex((each) => each.includes(check.pattern)) + 1;
      const message = `is not a pattern that can be used: ${why}`;
      return [{ file: path, line: Math.max(line, 1), path: `checks[${at}].pattern`, message }];
    }
  });
}

async function readAll(cli: CliContext, flags: JsonFlags): Promise<readonly ReadRecipe[]> {
  const root = rootOf(cli);
  const { settings } = await settingsFor(cli, { root, quiet: flags.json === true });
  const files = await listRecipes(root, settings.drafting.recipes);
  return Promise.all(
    files.map(async ({ id, origin, path }) => {
      const text = await readInputText(cli.cwd, path, { mayBeEmpty: true });
      const shown = origin === "project" ? relative(root, path) : path;
      return { id, origin, path: shown, text, parsed: parseRecipe(text, shown) };
    }),
  );
}

async function readOne(cli: CliContext, file: string): Promise<ReadRecipe> {
  const text = await readInputText(cli.cwd, file, { mayBeEmpty: true });
  const id = file.replace(/^.*\//u, "").replace(/\.md$/u, "");
  return { id, origin: "project", path: file, text, parsed: parseRecipe(text, file) };
}
