import type { RunFolders } from "../../ports/run-folders.ts";

/** Files that exist only while they are compared, by path. */
export function createMemoryFolders(): {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: Pick<RunFolders, "write" | "read" | "move">;
} {
  const files = new Map<string, string>();
  return {
    files,
    folders: {
      async write(folder, written) {
        for (const { name, content } of written) files.set(`${folder}/${name}`, content);
      },
      read: async (folder, name) => files.get(`${folder}/${name}`),
      async move(folder, from, to) {
        const [source, target] = [`${folder}/${from}`, `${folder}/${to}`];
        for (const [path, content] of [...files]) {
          if (path !== source && !path.startsWith(`${source}/`)) continue;
          files.delete(path);
          files.set(`${target}${path.slice(source.length)}`, content);
        }
      },
    },
  };
}
