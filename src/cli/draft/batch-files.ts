import { createReadStream, existsSync } from "node:fs";
import { open, truncate } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  type BatchBrief,
  parseBatchLine,
  parseResultLine,
} from "../../contract/drafting/batch-line.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { requireSavable } from "../../wiring/project/save-text.ts";
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
    const hint = "Each line of the file has its own; signoff draft --help shows the members.";
    throw invalidFlag(`--batch and ${wrong} do not go together.`, hint, facts);
  }
  if (output === undefined || extname(output).toLowerCase() !== ".jsonl") {
    const hint = "Name a file for the results with -o, such as -o results.jsonl.";
    throw invalidFlag("--batch needs a file that ends in .jsonl for its results.", hint, facts);
  }
  const briefs = resolve(cli.cwd, batch);
  if (batch === "-" || !existsSync(briefs)) {
    const hint = "A batch is read twice, so it must be a file of JSON lines.";
    throw invalidFlag(`There is no file ${batch}.`, hint, facts);
  }
  const results = resolve(cli.cwd, output);
  requireSavable(results);
  return { briefs, results } satisfies BatchFiles;
}

/** The lines of a file, one at a time, without those that are empty. */
async function* linesOf(path: string): AsyncGenerator<{ text: string; number: number }> {
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity });
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() !== "") yield { text, number };
  }
}

/** All briefs that can be read; `onProblem` gets what is wrong with the others. */
export async function* readBriefs(
  path: string,
  name: string,
  onProblem: (problem: string) => void,
): AsyncGenerator<BatchBrief> {
  const ids = new Map<string, number>();
  for await (const { text, number } of linesOf(path)) {
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
export async function readResults(path: string, name: string): Promise<ReadonlyMap<string, string>> {
  const done = new Map<string, string>();
  if (!existsSync(path)) return done;
  await dropTornLine(path);
  for await (const { text, number } of linesOf(path)) {
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

const block = 64 * 1024;

/** A process that was killed may have left half a line. */
async function dropTornLine(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    let end = size;
    while (end > 0) {
      const start = Math.max(0, end - block);
      const { buffer } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      const newline = buffer.lastIndexOf(10);
      if (newline >= 0) {
        if (start + newline + 1 < size) await truncate(path, start + newline + 1);
        return;
      }
      end = start;
    }
    if (size > 0) await truncate(path, 0);
  } finally {
    await handle.close();
  }
}
