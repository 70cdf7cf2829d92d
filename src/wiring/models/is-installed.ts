import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import type { Environment } from "../settings/environment.ts";

/** Whether a program can be started: by its path from `folder`, or by its name wherever `PATH` leads. */
export async function isInstalled(
  program: string,
  { folder, environment }: { readonly folder: string; readonly environment: Environment },
): Promise<boolean> {
  const folders = (environment.everything().PATH ?? "")
    .split(delimiter)
    .filter((one) => one !== "");
  const paths = program.includes("/")
    ? [resolve(folder, program)]
    : folders.map((one) => join(one, program));
  for (const path of paths) {
    if (await isProgram(path)) return true;
  }
  return false;
}

/** Folders may be entered by the same permission; they cannot be started. */
async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
