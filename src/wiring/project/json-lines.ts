import { createReadStream, existsSync } from "node:fs";
import { appendFile, mkdir, open, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

export interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** The lines of a file, one at a time, without those that are empty; none if there is no file. */
export async function* linesOfFile(path: string, name = path): AsyncGenerator<NumberedLine> {
  if (!existsSync(path)) return;
  let number = 0;
  let rest = "";
  for await (const part of textOf(path, name)) {
    const lines = `${rest}${part}`.split(/\r?\n/u);
    rest = lines.pop() ?? "";
    for (const text of lines) {
      number += 1;
      if (text.trim() !== "") yield { text, number };
    }
  }
  if (rest.trim() !== "") yield { text: rest, number: number + 1 };
}

/** Without a byte order mark. */
async function* textOf(path: string, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ConfigurationError(`${name} is not a text in UTF-8.`, {
      code: "file-unreadable",
      facts: { file: name },
      hint: "Save it as JSON lines in UTF-8.",
      cause,
    });
  }
}

export async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${line}\n`);
}

const block = 64 * 1024;

/** Removes a last line that does not end: a process that was killed may have left half of one. */
export async function dropTornLine(path: string): Promise<void> {
  if (!existsSync(path)) return;
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
