import type { NotesTools } from "./notes-tools.ts";

const attributes = ".gitattributes";

/** Lets git keep the lines of both sides when branches are merged. Written once; an entry that exists is left alone. */
export async function mergeByUnion(
  { files, source }: Pick<NotesTools, "files" | "source">,
  ...paths: readonly string[]
): Promise<boolean> {
  if (!source.usesGit) return false;
  const before = (await files.read(attributes)) ?? "";
  const named = new Set(before.split(/\r?\n/).map((line) => /^("[^"]*"|\S+)/.exec(line)?.[0]));
  const missing = paths.map(quoted).filter((path) => !named.has(path));
  if (missing.length === 0) return false;
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  const added = missing.map((path) => `${path} merge=union\n`).join("");
  await files.write([{ path: attributes, content: `${start}${added}` }]);
  return true;
}

function quoted(path: string): string {
  return /[\s"]/.test(path) ? JSON.stringify(path) : path;
}
