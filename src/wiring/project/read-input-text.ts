import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/** A file named on the command line; `-` is standard input. */
export async function readInputText(cwd: string, file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new ConfigurationError(`${file} cannot be read.`, {
      code: "file-unreadable",
      facts: { file },
      cause,
    });
  }
}
