import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/**
 * The absolute path of something inside a folder, or a refusal. Links are followed before judging, at every
 * step that exists, so neither `..` nor a symlink leads out; a link that points nowhere is refused too.
 */
export async function confinedPath(root: string, path: string): Promise<string> {
  if (path === "" || path.includes("\0")) throw refusal(path, "is not a path");
  if (isAbsolute(path) || /^[A-Za-z]:[\\/]|^\\/.test(path)) throw refusal(path, "must be relative");
  const target = resolve(root, path);
  if (!isInside(root, target)) throw refusal(path, "leads out of the workspace");
  const realRoot = await realpath(root);
  const { existing, rest } = await deepestExisting(target);
  const real = await realpath(existing).catch(() => {
    throw refusal(path, "goes through a link that points nowhere");
  });
  const resolved = rest === "" ? real : join(real, rest);
  if (!isInside(realRoot, resolved))
    throw refusal(path, "leads out of the workspace through a link");
  return resolved;
}

async function deepestExisting(target: string): Promise<{ existing: string; rest: string }> {
  let existing = target;
  for (;;) {
    const found = await lstat(existing).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
        throw error;
      },
    );
    if (found || dirname(existing) === existing)
      return { existing, rest: relative(existing, target) };
    existing = dirname(existing);
  }
}

function isInside(root: string, path: string): boolean {
  return path !== root && path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function refusal(path: string, what: string): ConfigurationError {
  return new ConfigurationError(`the path ${JSON.stringify(path)} ${what}`, {
    code: "path-escapes",
    facts: { path },
  });
}
