import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/**
 * The absolute path of something inside a folder, or an error. Links are resolved first, at every step that exists,
 * so neither `..` nor a symlink leads out; a dangling link is refused, too. Synchronous, which is faster than passing
 * such small calls to other threads.
 */
export function confinedPath(root: string, path: string): string {
  if (path === "" || path.includes("\0")) throw refusal(path, "is not a path");
  if (isAbsolute(path) || /^[A-Za-z]:[\\/]|^\\/.test(path)) throw refusal(path, "must be relative");
  const target = resolve(root, path);
  if (!isInside(root, target)) throw refusal(path, "leads out of the workspace");
  const resolved = realTarget(target);
  if (resolved === undefined) throw refusal(path, "goes through a link that points nowhere");
  if (!isInside(realpathSync.native(root), resolved))
    throw refusal(path, "leads out of the workspace through a link");
  return resolved;
}

/** Where something is or would be created, links resolved; `undefined` behind a link that points nowhere. */
export function realTarget(path: string): string | undefined {
  const { existing, rest } = deepestExisting(path);
  const real = realPathOf(existing);
  return real === undefined || rest === "" ? real : join(real, rest);
}

function deepestExisting(target: string): { existing: string; rest: string } {
  let existing = target;
  while (!isThere(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return { existing, rest: relative(existing, target) };
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export function isInside(root: string, path: string): boolean {
  return path !== root && path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function refusal(path: string, what: string): ConfigurationError {
  return new ConfigurationError(`the path ${JSON.stringify(path)} ${what}`, {
    code: "path-escapes",
    facts: { path },
  });
}
