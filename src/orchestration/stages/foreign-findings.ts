import { readLegacySummary } from "../../contract/stages/stage-record.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { StageFinding } from "../../domain/stages/asked-question.ts";
import type {
  FindingsImported,
  StageEntry,
  StageEvent,
} from "../../domain/stages/stage-history.ts";
import { runId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { findReadable } from "../scenarios/artifact-files.ts";
import { findingOf } from "./load-replays.ts";
import { type StageNames, type StageReading, summaryName } from "./stage.ts";

type FoundEntry = Omit<StageEntry, "number">;

/**
 * What the stage's folder holds that this project's store does not know: a summary of an older version, folders of
 * another checkout. They may add findings and repairs that need proof, never proof.
 */
export async function foreignEntries(
  parts: StageReading,
  folder: string,
  known: {
    readonly isRecorded: boolean;
    /** Loops of this project, and folders whose findings were taken over before. */
    readonly loops: ReadonlySet<string>;
  },
): Promise<readonly FoundEntry[]> {
  const summarized = known.isRecorded ? [] : await summaryEntries(parts, folder);
  return [...summarized, ...(await strangeLoops(parts, folder, known.loops))];
}

/** Runs that a summary of an older version filed, with their findings, and its repairs. */
async function summaryEntries(parts: StageReading, folder: string): Promise<readonly FoundEntry[]> {
  const text = await parts.folders.read(folder, summaryName);
  if (text === undefined) return [];
  const found: FoundEntry[] = [];
  for (const { at, event, evidence } of readSummary(folder, text).history) {
    if (event.kind === "run-ingested") {
      const [file = ""] = Object.keys(evidence);
      const place = `${folder}/${file.split("/").slice(0, 2).join("/")}`;
      const { targets = [] } =
        (await findReadable(parts.folders, place, "repair_targets.json")) ?? {};
      const { heldAt: _, ...run } = event;
      found.push({ at, event: { ...run, findings: openOnes(targets) }, evidence: {} });
    } else if (event.kind === "repair-executed" && !event.dryRun) {
      const ended = { ...event, endedAt: at };
      found.push({ at, event: ended, evidence: {} });
    } else if (event.kind.startsWith("repair-")) {
      found.push({ at, event: event as StageEvent, evidence: {} });
    }
  }
  return found;
}

/** How a summary of an older version names its stage. */
export async function legacyNames(
  { folders }: StageReading,
  folder: string,
): Promise<(StageNames & { readonly updatedAt: string }) | undefined> {
  const text = await folders.read(folder, summaryName);
  if (text === undefined) return undefined;
  const { stageId, moduleName, packHash, saveAutorunOnAccept, ...rest } = readSummary(folder, text);
  const { manifest: manifestPath = "", updatedAt } = rest;
  const names = { stageId, moduleName, packHash, saveAutorunOnAccept, manifestPath };
  return { ...names, folder, updatedAt };
}

function readSummary(folder: string, text: string) {
  try {
    return readLegacySummary(JSON.parse(text.replace(/^\\uFEFF/, "")) as Json);
  } catch (cause) {
    throw new ConfigurationError(`${folder}/${summaryName} cannot be read.`, {
      code: "stage-file-damaged",
      facts: { folder },
      hint: "Bring it back from version control, or move it away: `signoff stage summarize` then writes it again.",
      cause,
    });
  }
}

/** Iterations on disk whose run the store does not know. */
async function strangeLoops(parts: StageReading, folder: string, known: ReadonlySet<string>) {
  const { folders, store } = parts;
  const found: (FoundEntry & { readonly event: FindingsImported })[] = [];
  for (const loop of await folders.names(`${folder}/domain_loops`)) {
    for (const iteration of await folders.names(`${folder}/domain_loops/${loop}/iterations`)) {
      const from = `${loop}/iterations/${iteration}`;
      if (known.has(from)) continue;
      const state = await findReadable(
        folders,
        `${folder}/domain_loops/${from}`,
        "pack_state.json",
      );
      if (state === undefined) continue;
      if ((await store?.runs.load(runId(state.runId))) !== undefined) continue;
      const findings = openOnes(state.repairTargets);
      if (findings.length === 0) continue;
      found.push({ at: "", event: { kind: "findings-imported", from, findings }, evidence: {} });
    }
  }
  return found;
}

/** Of an unknown conversation: the question alone has to do. */
function openOnes(targets: readonly RepairTarget[]): readonly StageFinding[] {
  return targets
    .filter(blocksAcceptance)
    .map((target) => ({ ...findingOf(target), isVisible: true }));
}
