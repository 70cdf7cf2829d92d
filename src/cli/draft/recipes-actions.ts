import { relative, resolve } from "node:path";
import { type FileProblem, messageWithHint } from "../../contract/documents/file-problem.ts";
import { type ParsedRecipe, parseRecipe } from "../../contract/drafting/recipe.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { listRecipes } from "../../wiring/features/recipes.ts";
import { readInputText } from "../../wiring/project/save-text.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { renderColumns } from "../shell/columns.ts";
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
  const recipes = await readAll(cli, flags);
  const found = recipes.find((recipe) => recipe.id === id);
  if (found === undefined) {
    throw new ConfigurationError(`There is no recipe "${id}".`, {
      code: "recipe-unknown",
      facts: { recipe: id },
      hint: `Known recipes: ${recipes.map((recipe) => recipe.id).join(", ")}.`,
    });
  }
  const { origin, path, text } = found;
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
  const faults = checked.flatMap(faultsOf);
  cli.end(faults.length === 0 ? exitCode.accepted : exitCode.usage);
  const json = {
    checked: checked.map(({ path }) => path),
    faults: faults.map((each) => ({ ...each })),
  };
  for (const fault of flags.json === true ? [] : faults) {
    const { file, line, path } = fault;
    const place = `${file}:${line ?? 1}${path === "" ? "" : ` ${path}`}`;
    printErr(cli, [bad(place), `: ${messageWithHint(fault)}`]);
  }
  const said = `${renderCount(checked.length, "recipe")} checked, ${renderCount(faults.length, "fault")}.`;
  printResult(cli, flags, json, said);
}

function faultsOf({ id, path, parsed }: ReadRecipe): readonly FileProblem[] {
  if (parsed.kind === "problems") return parsed.problems;
  if (parsed.value.id === id) return [];
  const message = `is "${parsed.value.id}", but the file is named "${id}"`;
  return [{ file: path, line: 2, path: "id", message }];
}

async function readAll(cli: CliContext, flags: JsonFlags): Promise<readonly ReadRecipe[]> {
  const root = rootOf(cli);
  const { settings } = await settingsFor(cli, { root, quiet: flags.json === true });
  const files = await listRecipes(root, settings.drafting.recipes);
  return Promise.all(
    files.map(async ({ id, origin, path }) => {
      const text = await readInputText(cli.cwd, path);
      const shown = origin === "project" ? relative(root, path) : path;
      return { id, origin, path: shown, text, parsed: parseRecipe(text, shown) };
    }),
  );
}

async function readOne(cli: CliContext, file: string): Promise<ReadRecipe> {
  const text = await readInputText(cli.cwd, resolve(cli.cwd, file));
  const id = file.replace(/^.*\//u, "").replace(/\.md$/u, "");
  return { id, origin: "project", path: file, text, parsed: parseRecipe(text, file) };
}
