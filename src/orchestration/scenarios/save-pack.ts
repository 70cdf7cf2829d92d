import { readArtifact } from "../../contract/manifests/write-artifact.ts";
import { writePack } from "../../contract/manifests/write-manifest.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import {
  decideSave,
  type SaveDecision,
  type ValidatedRun,
} from "../../domain/scenarios/save-gate.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { specHashOf } from "./run-pack.ts";
import { plainJson } from "./scenario-files.ts";

export interface SaveRequest {
  readonly pack: Pack;
  /** The run that proves it. */
  readonly runFolder?: string;
  readonly library: string;
  readonly allowUnvalidated: boolean;
  readonly unvalidatedReason?: string;
}

export interface Saved {
  readonly decision: SaveDecision;
  /** Where the pack is now; absent when it was refused. */
  readonly file?: string;
}

/** Keeps a pack in the library if its run proves it. Reads what the run left and asks nobody. */
export async function savePack(
  { folders, digest }: { readonly folders: RunFolders; readonly digest: (text: string) => string },
  request: SaveRequest,
): Promise<Saved> {
  const { pack, runFolder, library, allowUnvalidated, unvalidatedReason } = request;
  const specHash = specHashOf(pack, digest);
  const run =
    runFolder === undefined ? undefined : await readRun(folders, runFolder, { digest, specHash });
  const decision = decideSave({
    ...(run === undefined ? {} : { run }),
    allowUnvalidated,
    ...(unvalidatedReason === undefined ? {} : { unvalidatedReason }),
  });
  if (decision.kind === "refuse") return { decision };
  const name = `${pack.packId}/${specHash.slice(0, 12)}${decision.mark === "validated" ? "" : ".unvalidated"}`;
  await folders.write(library, [
    { name: `${name}.pack.json`, content: plainJson(writePack(pack)) },
    { name: `${name}.saved.json`, content: plainJson(note(request, decision, specHash)) },
  ]);
  return { decision, file: `${library}/${name}.pack.json` };
}

function note(
  { runFolder }: SaveRequest,
  decision: Extract<SaveDecision, { kind: "save" }>,
  specHash: string,
): Json {
  return {
    schema_version: "saved_pack_v1",
    mark: decision.mark,
    spec_hash: specHash,
    validated_run_dir: decision.mark === "validated" ? (runFolder ?? null) : null,
    ...(decision.mark === "unvalidated"
      ? {
          semantic_proof: false,
          unvalidated_reason: decision.reason,
          failing: [...decision.failing],
        }
      : { semantic_proof: true }),
  };
}

/** Everything the gate believes, read again from the disk. */
async function readRun(
  folders: RunFolders,
  folder: string,
  spec: { readonly digest: (text: string) => string; readonly specHash: string },
): Promise<ValidatedRun> {
  const text = async (name: string): Promise<string> => {
    const found = await folders.read(folder, name);
    if (found !== undefined) return found;
    throw new ConfigurationError(`${folder} has no ${name}, so it is no finished run of a pack.`, {
      code: "run-incomplete",
      facts: { folder, name },
    });
  };
  const manifest = readArtifact("run_manifest.json", await text("run_manifest.json"));
  const actual: { [name: string]: string } = { spec: spec.specHash };
  for (const name of Object.keys(manifest.files)) {
    actual[name] = spec.digest((await folders.read(folder, name)) ?? "");
  }
  const packState = readArtifact("pack_state.json", await text("pack_state.json"));
  return {
    packState,
    truthReview: readArtifact("truth_review.json", await text("truth_review.json")),
    businessReview: readArtifact("business_review.json", await text("business_review.json")),
    hashes: { recorded: { ...manifest.files, spec: manifest.specHash }, actual },
  };
}
