import { basename, resolve } from "node:path";
import type { Material } from "../../domain/drafting/draft-input.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { kindOfPath, readInputText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { printRemark } from "../shell/print.ts";

export interface TextFlags {
  readonly briefFile?: string;
  readonly context?: readonly string[];
  readonly from?: string;
  /** The brief in words, which is never taken for a path. */
  readonly words?: string;
}

/** The texts that a draft starts from, read before anything else happens. */
export interface GivenTexts {
  readonly brief?: string;
  readonly context?: readonly Material[];
  readonly own?: { readonly text: string; readonly by: string };
}

/**
 * The brief as typed, from a file (`@brief.md`, a path, `--brief-file`) or from standard input (`-`); with it the files of
 * `--context` and the text of `--from`.
 */
export async function readTexts(
  cli: CliContext,
  typed: string | undefined,
  flags: TextFlags,
): Promise<GivenTexts> {
  const { briefFile, context = [], from, words } = flags;
  const source = words === undefined ? briefSource(cli, typed, briefFile) : { text: words };
  const file = source === undefined || !("file" in source) ? undefined : source.file;
  const files = [...(file === undefined ? [] : [file]), ...context];
  if ([...files, ...(from === undefined ? [] : [from])].filter((file) => file === "-").length > 1) {
    const hint = "Give the other texts as files.";
    throw invalidFlag("Only one text can come from standard input.", hint, { value: "-" });
  }
  if (source === undefined && from === undefined) throw noBrief(context);
  const isTyped = file !== undefined && typed === file;
  const brief = file === undefined ? source?.text : await readText(cli, file, isTyped);
  const materials: Material[] = [];
  for (const file of context) materials.push({ name: file, text: await readText(cli, file) });
  return {
    ...(brief === undefined ? {} : { brief }),
    ...(materials.length === 0 ? {} : { context: materials }),
    ...(from === undefined ? {} : { own: await ownText(cli, from) }),
  };
}

/** A text of the user's own, with the name it is reviewed under. */
async function ownText(cli: CliContext, file: string) {
  const text = await readText(cli, file);
  return { text, by: (await authorOf(cli, {})).by };
}

interface Source {
  readonly text?: string;
  readonly file?: string;
}

function briefSource(
  cli: CliContext,
  typed: string | undefined,
  briefFile: string | undefined,
): Source | undefined {
  if (typed === undefined) return briefFile === undefined ? undefined : { file: briefFile };
  if (briefFile !== undefined) {
    const hint = "Leave one of them out; further files are given with --context.";
    throw invalidFlag("The brief is given twice, in words and as --brief-file.", hint, {
      flag: "--brief-file",
      value: briefFile,
    });
  }
  if (typed === "-") return { file: "-" };
  if (typed.startsWith("@") && typed.length > 1 && !/\s/u.test(typed)) {
    return { file: typed.slice(1) };
  }
  return namesFile(cli.cwd, typed) ? { file: typed } : { text: typed };
}

/** A path is never drafted about: one that leads nowhere is refused when it is read. */
function namesFile(cwd: string, typed: string): boolean {
  if (typed === "" || typed.includes("\n")) return false;
  return kindOfPath(resolve(cwd, typed)) !== undefined || looksLikePath(typed);
}

/** One word with a folder in it or with an ending, such as notes/brief or brief.md. */
function looksLikePath(typed: string): boolean {
  return !/\s/u.test(typed) && (/[/\\]/u.test(typed) || /^\.|\w\.\w{1,8}$/u.test(typed));
}

async function readText(cli: CliContext, file: string, isTyped = false): Promise<string> {
  if (file === "-" && process.stdin.isTTY) {
    printRemark(cli, "Reading from standard input; end with Ctrl-D.");
  }
  // Only a word that was typed as the brief may have been meant as one.
  const meant = isTyped
    ? ` To write about "${basename(file)}" itself, say in a few words what it is.`
    : "";
  return readInputText(cli.cwd, file, { hint: `Give the path of a text file.${meant}` });
}

function noBrief(context: readonly string[]): ConfigurationError {
  const hint =
    context.length === 0
      ? 'Say what to write about, such as `signoff draft "a night train to Lisbon"`, or give a file: `signoff draft @brief.md`.'
      : "--context takes every word up to the next option: put the brief before it.";
  return new ConfigurationError("There is no brief.", { code: "brief-missing", hint });
}
