import { extname, resolve } from "node:path";
import {
  type BatchBrief,
  parseBatchLine,
  parseResultLine,
} from "../../contract/drafting/batch-line.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { dropTornLine, linesOfFile } from "../../wiring/project/json-lines.ts";
import { kindOfPath, requireSavable } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import type { DraftFlags } from "./draft-flags.ts";

export interface BatchFiles {
  readonly briefs: string;
  readonly results: string;
}

/** Flags that make no sense for many briefs, or are missing. */
export function checkBatchFlags(cli: CliContext, typed: string | undefined, flags: DraftFlags) {
  const { batch = "", output } = flags;
  const facts = { flag: "--batch", value: batch };
  const others = { brief: typed, "--brief-file": flags.briefFile, "--from": flags.from };
  const extra = Object.entries({ ...others, "--record": flags.record, "--json": flags.json });
  const [wrong] = extra.find(([, value]) => value !== undefined) ?? [];
  if (wrong !== undefined) {
    const hint =
      "Each line of the file has its own brief; `signoff draft --help` shows what a line may hold.";
    throw invalidFlag(`--batch and ${wrong} do not go together.`, hint, facts);
  }
  if (output === undefined || extname(output).toLowerCase() !== ".jsonl") {
    const hint = "Name a file for the results with -o, such as -o results.jsonl.";
    throw invalidFlag("--batch needs a file that ends in .jsonl for its results.", hint, facts);
  }
  const briefs = resolve(cli.cwd, batch);
  const found = kindOfPath(briefs);
  if (batch === "-" || found !== "file") {
    const hint = "A batch is read twice, so it must be a file of JSON lines.";
    const [what, missing] = [`${batch} is not a file.`, `There is no file ${batch}.`];
    throw invalidFlag(batch !== "-" && found === undefined ? missing : what, hint, facts);
  }
  const results = resolve(cli.cwd, output);
  requireSavable(results);
  return { briefs, results } satisfies BatchFiles;
}

/** All briefs that can be read; `onProblem` gets what is wrong with the others. */
export async function* readBriefs(
  path: string,
  name: string,
  onProblem: (problem: string) => void,
): AsyncGenerator<BatchBrief> {
  const ids = new Map<string, number>();
  for await (const { text, number } of linesOfFile(path, name)) {
    const parsed = parseBatchLine(text, name, number);
    if (parsed.kind === "problems") {
      for (const { path: at, message } of parsed.problems) {
        onProblem(`${name}:${number}${at === "" ? "" : ` ${at}`} ${message}`);
      }
      continue;
    }
    const { id } = parsed.value;
    const earlier = ids.get(id);
    if (earlier === undefined) ids.set(id, number);
    if (earlier === undefined) yield parsed.value;
    else onProblem(`${name}:${number} id "${id}" is that of line ${earlier} too`);
  }
}

/** What earlier runs of the batch have answered. A last line that was cut off is removed. */
export async function readResults(
  path: string,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const done = new Map<string, string>();
  await dropTornLine(path);
  for await (const { text, number } of linesOfFile(path, name)) {
    const result = parseResultLine(text);
    if (result !== undefined) done.set(result.id, result.input);
    else throw notResults(name, number);
  }
  return done;
}

function notResults(name: string, line: number): ConfigurationError {
  return new ConfigurationError(`${name}:${line} is not a result of a batch.`, {
    code: "results-invalid",
    facts: { file: name, line },
    hint: "Name another file with -o; results are added to the file, and nothing in it is replaced.",
  });
}
