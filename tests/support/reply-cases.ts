import { readFileSync } from "node:fs";

/**
 * The replies of a case table by section: `== name: what it means`, then one reply per line, with escapes such as
 * `\n`.
 */
export function readReplyCases(file: URL): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const name = /^== (\w+)/u.exec(line)?.[1];
    if (name !== undefined) {
      open = [];
      sections.set(name, open);
    } else if (line !== "") open?.push(unescaped(line));
  }
  return sections;
}

function unescaped(line: string): string {
  return line.replace(/\\(?:([ntr])|u([0-9a-f]{4}))/gu, (_, letter?: string, code?: string) =>
    code === undefined
      ? ({ n: "\n", t: "\t", r: "\r" }[letter ?? ""] ?? "")
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
