import { createReadStream, existsSync } from "node:fs";
import { appendFile, mkdir, open, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

export interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** The lines of a file, one at a time, without those that are empty; none if there is no file. */
export async function* linesOfFile(path: string): AsyncGenerator<NumberedLine> {
  if (!existsSync(path)) return;
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity });
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() !== "") yield { text, number };
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
