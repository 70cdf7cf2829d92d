import { type AssetJob, encodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import { plainTextOf } from "../../contract/episodes/plain-text.ts";
import type { LoopDecision } from "../../domain/drafting/decision.ts";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { type DraftSpec, freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { planResume } from "../../domain/drafting/resume-loop.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import { derivedFrom } from "../../domain/episodes/derived-files.ts";
import { assetOf } from "../../domain/episodes/episode-workspace.ts";
import { lockedText, type Selection, selects } from "../../domain/episodes/locked-selection.ts";
import { isUnlocked, type LoopLedger, loopIterations } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import type { SelectionRecord } from "../../domain/episodes/selection-record.ts";
import { inUtc, seedCandidate } from "../../domain/episodes/timestamp.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import type { Job } from "../../ports/flow.ts";
import { protocolGeneration } from "./archive-protocol.ts";
import { reviewKind } from "./episode-kinds.ts";
import { type EpisodeMaterial, notesOf, notesSource } from "./episode-material.ts";
import {
  loadCandidates,
  loadLedger,
  loadProtocol,
  loadSelection,
  loadSelectionRecord,
} from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

/** A workspace as jobs name it. */
export interface Workspace {
  readonly folder: EpisodeFolder;
  /** Relative to the project's root. */
  readonly path: string;
  /** Of the texts where `episode.yaml` names none; absent means the transcript's. */
  readonly language?: string;
}

/** Who works on an asset, and how long. */
export interface AssetRequest
  extends Pick<DraftSpec, "writer" | "reviewers" | "candidates" | "temperature" | "maxTokens"> {
  readonly assetId: string;
  readonly recipe: Recipe;
  readonly maxIterations?: number;
  /** A person's own text, which is reviewed first; the writer is asked only if it must change. */
  readonly edited?: DraftInput["edited"];
}

/** Everything a workspace knows about one asset. */
export interface AssetStanding {
  readonly assetId: string;
  readonly protocol?: ProtocolState;
  readonly ledger?: LoopLedger;
  readonly generation: number;
  readonly selection?: Selection;
  readonly record?: SelectionRecord;
  /** The selected file holds the text that its record is about. */
  readonly isSelectionRecorded: boolean;
  /** A person lifted the lock of the selected text. */
  readonly isLetGo: boolean;
  /** The loop must not change the selected text: it is of a locked kind or a person's, and no person has released it. */
  readonly isTextLocked: boolean;
}

export async function assetStanding(
  folder: EpisodeFolder,
  assetId: string,
  state: EpisodeMaterial["state"],
): Promise<AssetStanding> {
  const protocol = await loadProtocol(folder, assetId);
  const ledger = await loadLedger(folder, assetId);
  const asset = state === undefined ? undefined : assetOf(state, assetId);
  const chosen = asset?.candidates.find((one) => one.candidateId === asset.selectedCandidateId);
  const record = await loadSelectionRecord(folder, assetId);
  const selection = await loadSelection(folder, assetId, record?.format ?? chosen?.format);
  const isSelectionRecorded = selection !== undefined && isTextOf(record, selection);
  const last = protocol?.iterations.at(-1)?.candidate;
  const isOwn =
    isSelectionRecorded && record !== undefined
      ? record.madeBy === "loop"
      : selection !== undefined && last !== undefined && selects(selection, last, plainTextOf);
  const byLoopAt = isSelectionRecorded && record?.madeBy === "loop" ? record.at : undefined;
  const isLetGo =
    selection !== undefined && isUnlocked(ledger, sha256Digest(selection.text), byLoopAt);
  return {
    assetId,
    ...defined({ protocol, ledger, selection, record }),
    generation: await protocolGeneration(folder, assetId),
    isSelectionRecorded,
    isLetGo,
    isTextLocked: selection !== undefined && (isLockedKind(assetId) || !isOwn) && !isLetGo,
  };
}

/** Line ends and white space at the end may be those of a checkout. */
function isTextOf(record: SelectionRecord | undefined, { text }: Selection): boolean {
  const plain = `${text.replace(/\r\n?/g, "\n").trimEnd()}\n`;
  return [text, plain].some((one) => sha256Digest(one) === record?.sha256);
}

/** The job to run, or the decision that makes one unnecessary. */
export type FrozenReview = { readonly assetId: string; readonly jobId: string } & (
  | { readonly kind: "ended"; readonly decision: LoopDecision }
  | { readonly kind: "job"; readonly job: Job }
);

/** The job of an asset's loop from what is on disk now, or the decision it already has. */
export async function freezeReview(
  workspace: Workspace,
  material: EpisodeMaterial,
  request: AssetRequest & { readonly at: Instant },
): Promise<FrozenReview> {
  const { assetId, recipe, maxIterations } = request;
  const { folder } = workspace;
  const standing = await assetStanding(folder, assetId, material.state);
  const { protocol, ledger, generation } = standing;
  const decision = protocol?.decision;
  const iterations = protocol === undefined ? [] : loopIterations(protocol, ledger).map(inJobs);
  const limit = protocol?.maxIterations ?? maxIterations ?? recipe.maxTurns;
  const plan = planResume({
    state: { maxIterations: limit, iterations },
    ...defined({ decision, maxIterations }),
    stopRules: recipe.stopRules,
  });
  const jobId = reviewJobId(workspaceId(workspace, material), assetId, generation);
  if (plan.kind === "ended") return { kind: "ended", assetId, jobId, decision: plan.decision };
  if (plan.kind === "refused") {
    const { limit: used, needed } = plan;
    throw new ConfigurationError(
      `${assetId} has used up its iterations: ${used} leaves no room for another.`,
      {
        code: "max-iterations",
        facts: { asset: assetId, limit: used, needed },
        hint: `Give --max-iterations ${needed} or more; it counts all iterations of the asset.`,
      },
    );
  }
  const input = await assetJob(workspace, material, {
    standing,
    request: { ...request, maxIterations: plan.state.maxIterations },
    previous: iterations,
    closes: plan.kind === "close",
  });
  const job = { id: jobId, kind: reviewKind, input: encodeAssetJob(input), settings: {} };
  return { kind: "job", assetId, jobId, job: { ...job, createdAt: request.at } };
}

export function reviewJobId(workspace: string, assetId: string, generation: number): string {
  return `${reviewKind}/${workspace}/${assetId}/${generation}`;
}

/** Changes only when a new workspace is made in the same place. */
export function workspaceId(
  { path }: Workspace,
  { settings, state }: Pick<EpisodeMaterial, "settings" | "state">,
): string {
  const made = state?.createdAt ?? "";
  return sha256Digest([path, settings.episodeId, made].join("\n")).slice(0, 16);
}

/** Files of other programs keep their time zones; jobs use UTC only. */
function inJobs(one: LoopIteration): LoopIteration {
  return {
    ...one,
    candidate: timed(one.candidate),
    review: timed(one.review),
    panel: one.panel.map(timed),
  };
}

function timed<T extends Pick<LoopIteration["candidate"], "createdAt" | "provenance">>(one: T): T {
  const provenance = one.provenance.map(({ createdAt, ...ref }) =>
    createdAt === undefined ? ref : { ...ref, createdAt: inUtc(createdAt) },
  );
  return { ...one, createdAt: inUtc(one.createdAt), provenance };
}

/** The text that a person picked or adopted is what its review begins with; it is not rewritten. */
function adopted({
  selection,
  record,
  isSelectionRecorded,
  isTextLocked,
  protocol,
}: AssetStanding) {
  const isOwn = record?.madeBy === "person" && isSelectionRecorded && isTextLocked;
  if (selection === undefined || !isOwn || protocol !== undefined) return undefined;
  return { text: selection.text.trimEnd(), by: record.by ?? "a person" };
}

/** The input that a loop and a first draft of an asset share. */
export async function assetJob(
  { folder, path }: Workspace,
  { settings, brief, sources }: EpisodeMaterial,
  about: {
    readonly standing: AssetStanding;
    readonly request: AssetRequest;
    readonly previous: AssetJob["draft"]["previous"];
    readonly closes: boolean;
  },
): Promise<AssetJob> {
  const { standing, request, previous, closes } = about;
  const { assetId, recipe, writer, reviewers, maxIterations, candidates } = request;
  const { temperature, maxTokens, edited = adopted(standing) } = request;
  const { selection, isTextLocked, generation } = standing;
  const locked =
    selection !== undefined && isTextLocked
      ? lockedText(selection, recipe.format, plainTextOf)
      : undefined;
  const seed =
    previous.length > 0 ? undefined : seedCandidate(await loadCandidates(folder, assetId));
  const notes = notesOf(settings, assetId);
  const plan = freezeDraft(
    {
      ...{ brief, recipe, assetId, writer, reviewers, previous },
      ...defined({ maxTurns: maxIterations, candidates, maxTokens, temperature }),
      ...defined({ lockedText: locked, notes }),
      ...(seed === undefined ? {} : { seedText: seed.content }),
    },
    { briefCharacters: 200_000, turns: 1000 },
  );
  if (plan.kind === "refused") {
    const lines = plan.problems.map(({ field, message }) => `${field} ${message}`);
    throw new ConfigurationError(`${assetId} cannot be worked on: ${lines.join("; ")}.`, {
      code: "request-invalid",
      facts: { asset: assetId, problems: lines },
    });
  }
  return {
    workspace: path,
    generation,
    draft: { ...plan.input, ...(closes ? {} : defined({ edited })) },
    sources: [...sources, notesSource(settings, assetId)].map(derivedFrom),
    ...defined({ selection }),
    closes,
  };
}
