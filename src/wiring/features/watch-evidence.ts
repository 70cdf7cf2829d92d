import { hash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { shippedFolder } from "../../adapters/workspace/shipped-folder.ts";
import { readStageFacts } from "../../contract/stages/stage-record.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { unlessMissing } from "../../domain/values/unless-missing.ts";
import type { WatchEvidence } from "../../ports/coder.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Store } from "../../ports/store.ts";
import { storePath } from "../project/project-store.ts";
import { openStage } from "./open-stage.ts";

type Digests = { readonly [name: string]: string };

interface Watched {
  readonly root: string;
  readonly store: Pick<Store<Repos>, "read">;
  readonly settings: Settings;
}

/** What a coder must leave alone, whether it works for a stage or inside a loop. */
export function createEvidenceWatch(watched: Watched): WatchEvidence {
  return async (folder) => {
    const [files, rows] = await takeDigests(watched, folder);
    return {
      digests: { ...files, ...rows },
      async changed() {
        const [filesNow, rowsNow] = await takeDigests(watched, folder);
        // A file that was added proves nothing; a row might.
        return [
          ...differing(Object.keys(files), files, filesNow),
          ...differing(Object.keys({ ...rows, ...rowsNow }), rows, rowsNow),
        ];
      },
    };
  };
}

function differing(names: readonly string[], before: Digests, now: Digests): readonly string[] {
  return names.filter((name) => now[name] !== before[name]);
}

async function takeDigests(
  watched: Watched,
  folder: string,
): Promise<readonly [files: Digests, rows: Digests]> {
  const { root, store } = watched;
  const program = programFolder();
  const [stage = folder] = folder.split("/domain_loops/");
  // The files of a loop that is being played are still being written; its rows are what counts.
  const playing = stage === folder ? undefined : folder;
  const files = {
    ...(await filesBelow(root, stage, playing)),
    ...(await manifestDigests(watched, stage)),
    ...(await storeIdentity(root)),
    ...(program === undefined ? {} : await filesBelow(dirname(program), program)),
  };
  return [files, await store.read(({ stages }) => stages.digests(stage))];
}

/** The stage's manifest, its pack as it would be played, and the project's settings. */
async function manifestDigests(
  { root, store, settings }: Watched,
  stage: string,
): Promise<Digests> {
  const own = await unlessMissing(readFile(join(root, "signoff.yaml")));
  const digests = own === undefined ? {} : { "signoff.yaml": hash("sha256", own) };
  const row = await store.read(({ stages }) => stages.load(stage));
  if (row === undefined) return digests;
  const { manifestPath: path } = readStageFacts(row.facts);
  const text = await unlessMissing(readFile(resolve(root, path)));
  try {
    const { packHash } = openStage(root, settings, { path: resolve(root, path) });
    const pack = { [`the pack of ${path}`]: packHash };
    return { ...digests, [path]: hash("sha256", text ?? ""), ...pack };
  } catch {
    return { ...digests, [path]: hash("sha256", text ?? "") };
  }
}

/** A store that was moved away or replaced can still be read by whoever has it open. */
async function storeIdentity(root: string): Promise<Digests> {
  const file = await unlessMissing(stat(storePath(root)));
  return file === undefined ? {} : { "the file of the store": `${file.dev}:${file.ino}` };
}

/** The folder of this program's bundle; a program that runs from its sources is not watched. */
function programFolder(): string | undefined {
  try {
    return shippedFolder("bin", "signoff.js");
  } catch {
    return undefined;
  }
}

async function filesBelow(base: string, folder: string, except?: string): Promise<Digests> {
  const place = resolve(base, folder);
  const found = await unlessMissing(readdir(place, { recursive: true, withFileTypes: true }));
  const digests: { [name: string]: string } = {};
  for (const entry of found ?? []) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(base, path);
    if (!entry.isFile() || (except !== undefined && name.startsWith(`${except}/`))) continue;
    const content = await unlessMissing(readFile(path));
    if (content !== undefined) digests[name] = hash("sha256", content);
  }
  return digests;
}
