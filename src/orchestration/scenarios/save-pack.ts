import { plainJson } from "../../contract/documents/json-text.ts";
import { writePack } from "../../contract/scenarios/write-manifest.ts";
import type { Decider } from "../../domain/evidence/standing.ts";
import { askedQuestions, playedScenarios } from "../../domain/scenarios/asked-questions.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import {
  decideSave,
  type ProvingRun,
  type SaveDecision,
} from "../../domain/scenarios/save-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { ExaminedRun, ExamineRun } from "./examine-run.ts";
import { specHashOf } from "./run-pack.ts";
import { nextCommand } from "./verify-packs.ts";

export interface SavePackRequest {
  readonly pack: Pack;
  /** The run that proves it. */
  readonly runFolder?: string;
  readonly library: string;
  /** The analyst that the settings name, if it is a model. */
  readonly analystModel?: string;
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
  /** The command that would supply what a refused save lacks. */
  readonly next?: string;
  /** Who judged the run that proves it, in addition to the checks; none for a draft. */
  readonly deciders: readonly Decider[];
  /** Absent where nothing was to be published. Saved stays saved, whatever becomes of it. */
  readonly published?: Published;
}

export interface SaveParts {
  readonly folders: Pick<RunFolders, "write">;
  readonly digest: (text: string) => string;
  readonly examine: ExamineRun;
  /** Takes what was saved elsewhere: where the file is, and what it holds. */
  readonly publish?: (file: string, content: string) => Promise<Published>;
}

/** Saves a pack in the library if its run proves it, judged again from what the store recorded. Makes no calls. */
export async function savePack(parts: SaveParts, request: SavePackRequest): Promise<Saved> {
  const { folders, digest, publish } = parts;
  const { pack, runFolder, library, analystModel, allowUnvalidated, unvalidatedReason } = request;
  const specHash = specHashOf(pack, digest);
  const examined = runFolder === undefined ? undefined : await examineFolder(parts, runFolder);
  const run = examined && provingRun(examined, pack);
  const decision = decideSave({
    allowUnvalidated,
    ...defined({ run, analystModel, unvalidatedReason }),
  });
  if (decision.kind === "refuse") {
    const next = examined && runFolder && nextCommand(runFolder, examined);
    return { decision, deciders: [], ...defined({ next: next || undefined }) };
  }
  const isProven = decision.mark === "validated" && examined?.kind === "derived";
  const proof = isProven ? examined : undefined;
  const name = `${pack.packId}/${specHash.slice(0, 12)}${decision.mark === "validated" ? "" : ".unvalidated"}`;
  const content = plainJson(writePack(pack));
  await folders.write(library, [
    { name: `${name}.pack.json`, content },
    {
      name: `${name}.saved.json`,
      content: plainJson(note(proof, { decision, specHash, digest })),
    },
  ]);
  const file = `${library}/${name}.pack.json`;
  const published = await publish?.(file, content);
  return { decision, file, deciders: proof?.run.deciders ?? [], ...defined({ published }) };
}

async function examineFolder({ examine }: SaveParts, folder: string) {
  const examined = await examine(folder);
  if (examined.kind !== "none") return examined;
  throw new ConfigurationError(`${folder} has no run_manifest.json, so it is no run of a pack.`, {
    code: "run-incomplete",
    facts: { folder },
    hint: "Give the folder of a finished `signoff pack run` or `signoff pack loop`.",
  });
}

/** Titles and descriptions may differ: what counts is what was asked, expected and weighed. */
function provingRun(examined: Exclude<ExaminedRun, { kind: "none" }>, pack: Pack): ProvingRun {
  if (examined.kind === "unknown") return { kind: "unknown" };
  const { run, stored } = examined;
  const played = stored.evidence.scenarios.map(({ scenario }) => scenario);
  const isSamePack = askedQuestions(played) === askedQuestions(playedScenarios(pack));
  return { kind: "derived", run, isSamePack };
}

type Proof = Extract<ExaminedRun, { kind: "derived" }>;

/** Stored with a saved pack: the run that proves it, who judged it, and its evidence by hash; or why there is none. */
function note(
  proof: Proof | undefined,
  saved: {
    readonly decision: Extract<SaveDecision, { kind: "save" }>;
    readonly specHash: string;
    readonly digest: (text: string) => string;
  },
): Json {
  const { decision, specHash, digest } = saved;
  const { files = [], older = [] } = proof?.stored ?? {};
  const hashes = [...new Map([...files, ...older])].map(([name, text]) => [name, digest(text)]);
  return {
    ...{ schema_version: "saved_pack_v1", mark: decision.mark, spec_hash: specHash },
    validated_run_dir: proof?.folder ?? null,
    semantic_proof: proof !== undefined,
    ...(proof !== undefined && {
      run_id: proof.run.runId,
      decided_by: [...proof.run.deciders],
      evidence: Object.fromEntries(hashes),
    }),
    ...(decision.mark === "unvalidated" && {
      unvalidated_reason: decision.reason,
      failing: [...decision.failing],
    }),
  };
}
