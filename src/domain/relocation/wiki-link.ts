import { relativePath, resolveLink } from "./link-target.ts";

/** How a target between double brackets was written. */
interface WikiTarget {
  readonly path: string;
  readonly form: "name" | "root" | "relative";
}

/** Notes by name, for links that give no folder. */
export class WikiNames {
  readonly #paths: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    this.#byName = Map.groupBy(paths, nameOf);
  }

  /** `undefined` where the target is no note, or where several have its name. */
  resolve(fromPath: string, written: string): WikiTarget | undefined {
    const target = written.trim().replace(/\.md$/i, "");
    const isPath = target.includes("/");
    const root = `${target.replace(/^\//, "")}.md`;
    if (isPath && this.#paths.has(root)) return { path: root, form: "root" };
    if (isPath) {
      const found = resolveLink(fromPath, `${target}.md`);
      const isKnown = found.kind === "path" && this.#paths.has(found.path);
      return isKnown ? { path: found.path, form: "relative" } : undefined;
    }
    const [path, ...others] = this.#byName.get(target.toLowerCase()) ?? [];
    return path === undefined || others.length > 0 ? undefined : { path, form: "name" };
  }

  isUnique(path: string): boolean {
    return (this.#byName.get(nameOf(path))?.length ?? 0) <= 1;
  }
}

/** Names are compared without case, as the programs do that use them. */
function nameOf(path: string): string {
  return bare(path).toLowerCase();
}

function bare(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
}

/** The link as it leads to the same note after the moves; `undefined` if it is no link to a note. */
export function rewriteWiki(
  written: string,
  about: {
    readonly fromPath: string;
    readonly newFromPath: string;
    readonly before: WikiNames;
    readonly after: WikiNames;
    readonly movedTo: (path: string) => string;
  },
): string | undefined {
  const cut = written.search(/[#^]/);
  const [target, suffix] = cut === -1 ? [written, ""] : [written.slice(0, cut), written.slice(cut)];
  const found = about.before.resolve(about.fromPath, target);
  if (found === undefined) return undefined;
  const to = about.movedTo(found.path);
  const ending = /\.md$/i.test(target.trim()) ? ".md" : "";
  const path = to.replace(/\.md$/i, "");
  const isStill = about.after.resolve(about.newFromPath, target)?.path === to;
  if (isStill) return written;
  const rewritten = { name: bare(to), root: path, relative: relativePath(about.newFromPath, path) };
  const name = found.form === "name" && !about.after.isUnique(to) ? path : rewritten[found.form];
  const slash = found.form === "root" && target.startsWith("/") ? "/" : "";
  return `${slash}${name}${ending}${suffix}`;
}
