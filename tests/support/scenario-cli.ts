import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runSignoff } from "./signoff-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Ended {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command line as a person would. */
export async function signoff(
  cwd: string,
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await runSignoff(args, { cwd, env: { HOME: cwd, ...env } });
  return { code, out: stdout, err: stderr };
}

/** A folder with the example pack in `pack/`; remove it with `close`. */
export function openShopFolder(): { readonly path: string; close(): void } {
  const path = mkdtempSync(join(tmpdir(), "signoff-shop-"));
  cpSync(join(root, "examples", "scenario-pack"), join(path, "pack"), { recursive: true });
  return { path, close: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every file below a folder, by its relative path. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(found.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** Removes what may differ between two runs of the same questions: times and session names. */
export function timeless(files: ReadonlyMap<string, string>): { readonly [name: string]: string } {
  return Object.fromEntries(
    [...files]
      .filter(([name]) => !name.endsWith("assistant_response.json"))
      .filter(([name]) => !name.endsWith("run_manifest.json"))
      .map(([name, text]) => [
        name,
        text
          .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
          .replace(/shop-\d+/g, "<session>")
          .replace(/http:\/\/127\.0\.0\.1:\d+/g, "<address>")
          .replace(/"[0-9a-f]{64}"/g, '"<hash>"')
          .replace(/trace-\d+/g, "<trace>")
          .replace(/"latency_ms": \d+/g, '"latency_ms": 0')
          // An answer that was read from the session after a crash has no known latency.
          .replace(/,\n *"latency_ms": \d+(?=\n)/g, "")
          .replace(/\n *"latency_ms": \d+,/g, "")
          .replace(/,\n {2}"recovered": true/g, ""),
      ]),
  );
}

/** Files whose hashes differ from those recorded in the run's own files. */
export function wrongHashes(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([name]) => /(?:^|\/)(?:scenario_state|run_manifest)\.json$/.test(name))
    .flatMap(([name, text]) => {
      const { files: hashes } = JSON.parse(text) as { files: { [name: string]: string } };
      const home = name.slice(0, name.lastIndexOf("/") + 1);
      return Object.entries(hashes)
        .filter(([inner, hash]) => sha256(files.get(`${home}${inner}`) ?? "") !== hash)
        .map(([inner]) => `${name}: ${inner}`);
    });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
