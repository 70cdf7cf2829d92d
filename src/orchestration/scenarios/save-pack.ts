import {
  type ArtifactName,
  type ArtifactValue,
  readArtifact,
} from "../../contract/scenarios/write-artifact.ts";
import { writePack } from "../../contract/scenarios/write-manifest.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import {
  decideSave,
  type SaveDecision,
  type ValidatedRun,
} from "../../domain/scenarios/save-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { findArtifact } from "./artifact-files.ts";
import { iterationFolder } from "./loop-iteration.ts";
import { specHashOf } from "./run-pack.ts";
import { plainJson } from "./scenario-files.ts";

export interface SavePackRequest {
  readonly pack: Pack;
  /** The run that proves it. */
  readonly runFolder?: string;
  readonly library: string;
  readonly allowUnvalidated: boolean;
  readonly unvalidatedReason?: string;
}

/** The result of handing a pack to the user's publishing command. */
export type Published =
  | { readonly kind: "published" }
  | { readonly kind: "failed"; readonly why: string };

export interface Saved {
  readonly decision: SaveDecision;
  /** Where the pack is now; absent when it was refused. */
  readonly file?: string;
  /** Absent where nothing was to be published. Saved stays saved, whatever becomes of it. */
  readonly published?: Published;
}

export interface SaveParts {
  readonly folders: RunFolders;
  readonly digest: (text: string) => string;
  /** Takes what was saved elsewhere: where the file is, and what it holds. */
  readonly publish?: (file: string, content: string) => Promise<Published>;
}

/** Saves a pack in the library if its run proves it. Reads the run's files and makes no calls. */
export async function savePack(
  { folders, digest, publish }: SaveParts,
  request: SavePackRequest,
): Promise<Saved> {
  const { pack, runFolder, library, allowUnvalidated, unvalidatedReason } = request;
  const specHash = specHashOf(pack, digest);
  const proof = runFolder === undefined ? undefined : await proofFolder(folders, runFolder);
  const run = proof === undefined ? undefined : await readRun(folders, proof, { digest, specHash });
  const decision = decideSave({
    ...defined({ run }),
    allowUnvalidated,
    ...defined({ unvalidatedReason }),
  });
  if (decision.kind === "refuse") return { decision };
  const name = `${pack.packId}/${specHash.slice(0, 12)}${decision.mark === "validated" ? "" : ".unvalidated"}`;
  const content = plainJson(writePack(pack));
  await folders.write(library, [
    { name: `${name}.pack.json`, content },
    { name: `${name}.saved.json`, content: plainJson(note(proof, run, { decision, specHash })) },
  ]);
  const file = `${library}/${name}.pack.json`;
  const published = await publish?.(file, content);
  return { decision, file, ...defined({ published }) };
}

/** Stored with a saved pack: the proof by name and hash, or why there is none. */
function note(
  proof: string | undefined,
  run: ValidatedRun | undefined,
  saved: {
    readonly decision: Extract<SaveDecision, { kind: "save" }>;
    readonly specHash: string;
  },
): Json {
  const { decision, specHash } = saved;
  const isProven = decision.mark === "validated";
  return {
    ...{ schema_version: "saved_pack_v1", mark: decision.mark, spec_hash: specHash },
    validated_run_dir: isProven ? (proof ?? null) : null,
    semantic_proof: isProven,
    ...(isProven
      ? { evidence: { ...run?.hashes.recorded } }
      : { unvalidated_reason: decision.reason, failing: [...decision.failing] }),
  };
}

/** A loop is proven by its latest iteration. */
async function proofFolder(folders: RunFolders, folder: string): Promise<string> {
  const loop = await findArtifact(folders, folder, "loop_state.json");
  if (loop === undefined) return folder;
  return `${folder}/${iterationFolder(loop.iterations.at(-1)?.iteration ?? 1)}`;
}

/** Everything the gate believes, read again from the disk. */
async function readRun(
  folders: RunFolders,
  folder: string,
  spec: { readonly digest: (text: string) => string; readonly specHash: string },
): Promise<ValidatedRun> {
  const read = async <N extends ArtifactName>(name: N): Promise<ArtifactValue<N>> => {
    const found = await findArtifact(folders, folder, name);
    if (found !== undefined) return found;
    throw new ConfigurationError(`${folder} has no ${name}, so it is no finished run of a pack.`, {
      code: "run-incomplete",
      facts: { folder, name },
    });
  };
  const manifest = await read("run_manifest.json");
  const recorded: { [name: string]: string } = { ...manifest.files, spec: manifest.specHash };
  const actual: { [name: string]: string } = { spec: spec.specHash };
  const hash = async (name: string): Promise<string> => {
    const found = (await folders.read(folder, name)) ?? "";
    actual[name] = spec.digest(found);
    return found;
  };
  for (const name of Object.keys(manifest.files)) {
    const found = await hash(name);
    if (!name.endsWith("/scenario_state.json") || actual[name] !== recorded[name]) continue;
    const around = readArtifact("scenario_state.json", found).files ?? {};
    for (const [inner, hashed] of Object.entries(around)) {
      const place = name.replace("scenario_state.json", inner);
      recorded[place] = hashed;
      await hash(place);
    }
  }
  return {
    packState: await read("pack_state.json"),
    truthReview: await read("truth_review.json"),
    businessReview: await read("business_review.json"),
    hashes: { recorded, actual },
  };
}
