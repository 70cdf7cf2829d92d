import { readArtifact, writeArtifact } from "../../contract/scenarios/artifacts.ts";
import { readStoredScenario } from "../../contract/scenarios/parse-manifest.ts";
import { readRunEvent } from "../../contract/scenarios/run-events.ts";
import { readRunInput } from "../../contract/scenarios/run-inputs.ts";
import { openWrittenPack } from "../../contract/scenarios/write-manifest.ts";
import type { RecordedChain, RunEvidence } from "../../domain/scenarios/derive-run.ts";
import { turnStepId } from "../../domain/scenarios/simulated-user.ts";
import { PACK_GATE } from "../../domain/scenarios/verdict-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, type RunId, runId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import { allEvents } from "../runs/all-events.ts";
import { readRecordedVerdicts } from "./ask-analyst.ts";
import { readEnding } from "./ask-assistant.ts";
import { readRecordedMove } from "./ask-user.ts";
import { compareFiles } from "./compare-files.ts";
import { createMemoryFolders } from "./memory-folders.ts";
import { createRunProjector } from "./run-projector.ts";
import { turnKeyOf } from "./scenario-flow.ts";

export interface EvidenceParts {
  readonly store: Pick<RunStore, "load" | "find" | "listChildren" | "events">;
  readonly folders: Pick<RunFolders, "read">;
  readonly digest: (text: string) => string;
}

/** A pack run of this project: what the store recorded of it, and which files of its folder say something else. */
export interface StoredRun {
  readonly record: RunRecord;
  /** The run it was an iteration of. */
  readonly loop?: RunRecord;
  /** The pack as it was played. */
  readonly pack: Json;
  readonly assistantUrl: string;
  /** What the store's events write into the folder, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Those of them that an older version wrote in other words, as they are. */
  readonly older: ReadonlyMap<string, string>;
  readonly evidence: RunEvidence;
}

/** Undefined where the store knows no pack run of this id. `folder` is where its files are now. */
export async function loadRunEvidence(
  parts: EvidenceParts,
  at: { readonly runId: string; readonly folder: string },
): Promise<StoredRun | undefined> {
  const { store } = parts;
  const record = await store.load(runId(at.runId));
  if (record?.job.kind !== "pack") return undefined;
  const loop = record.parent === undefined ? undefined : await store.load(record.parent);
  const input = readRunInput("pack", record.job.input);
  const { packId, title, scenarios } = openWrittenPack(input.pack);
  const chains = await recordedChains(parts, record);
  const files = await recordedFiles(parts, { record, loop });
  const analysts = input.awaitsAnalyst ? await analystsOf(parts, record, loop) : undefined;
  const { changed, older } = await compareFiles({
    files,
    read: (name) => parts.folders.read(at.folder, name),
    digest: parts.digest,
  });
  const recorded = recordedGate(files.get("pack_state.json"), files.get("run_manifest.json"));
  return {
    record,
    ...defined({ loop }),
    pack: input.pack,
    assistantUrl: input.assistantUrl,
    files,
    older,
    evidence: {
      ...{ runId: record.run, packId, title, fileHints: input.fileHints },
      scenarios: scenarios.map(({ scenarioId, written }) => ({
        scenario: readStoredScenario(written),
        repeats: Array.from(
          { length: input.repeat },
          (_, index) =>
            chains.get(`${record.job.id}/${scenarioId}/${index + 1}`) ?? { answers: new Map() },
        ),
      })),
      ...defined({ analysts, recorded }),
      changedFiles: changed,
    },
  };
}

/** `pack_state.json` as the events of a finished run write it; undefined for a run that the store does not have. */
export async function recordedPackState(
  store: EvidenceParts["store"],
  id: string,
): Promise<string | undefined> {
  const record = await store.load(runId(id));
  if (record?.job.kind !== "pack") return undefined;
  const { folder } = readRunInput("pack", record.job.input);
  const above = record.parent === undefined ? [] : await allEvents(store)(record.parent);
  const judged = [...(await allEvents(store)(record.run)), ...above]
    .flatMap(({ kind, data }) => (kind === "pack-judged" ? [readRunEvent(kind, data)] : []))
    .findLast((event) => event.folder === folder);
  return judged && writeArtifact("pack_state.json", judged.state);
}

/** What was answered in each scenario, by the id of its job. */
async function recordedChains(
  { store }: EvidenceParts,
  record: RunRecord,
): Promise<ReadonlyMap<string, RecordedChain>> {
  const chains = new Map<string, RecordedChain>();
  for (const { run } of await store.listChildren(record.run)) {
    const child = await store.load(run);
    if (child?.job.kind !== "scenario") continue;
    chains.set(child.job.id, await recordedChain(store, child));
  }
  return chains;
}

/** The attempt that was played to its end; the ones before it lost their session. */
async function recordedChain(
  store: EvidenceParts["store"],
  { run, job }: RunRecord,
): Promise<RecordedChain> {
  const { scenario, userModel: model } = readRunInput("scenario", job.input);
  const { steps, user } = readStoredScenario(scenario);
  const turns = Array.from({ length: user?.maxTurns ?? 0 }, (_, at) => turnStepId(at + 1));
  const ids = [...steps.map(({ stepId }) => stepId), ...turns];
  const find = (key: Key) => store.find(run, key);
  for (let attempt = 1; ; attempt += 1) {
    const answers = new Map();
    let isOver = false;
    for (const stepId of ids) {
      const found = await find(turnKeyOf(attempt, stepId));
      const ending = found && readEnding(found.value);
      if (ending?.kind === "taken") answers.set(stepId, ending.turn);
      isOver ||= ending?.kind === "restart";
    }
    if (isOver) continue;
    const turn = turns.filter((id) => answers.has(id)).length + 1;
    const lastMove = model && (await readRecordedMove(find, { attempt, turn, model }));
    return { answers, ...(lastMove && { lastMove }) };
  }
}

async function analystsOf(
  { store }: EvidenceParts,
  record: RunRecord,
  loop: RunRecord | undefined,
): Promise<NonNullable<RunEvidence["analysts"]>> {
  if (loop?.job.kind !== "pack-loop") return "awaited";
  const input = readRunInput("pack-loop", loop.job.input);
  const find = (key: Key) => store.find(loop.run, key);
  const answers = await readRecordedVerdicts(find, iterationOf(record), input);
  if (answers === undefined) return "awaited";
  const { targetScore, analysts } = input;
  return { answers, rules: { ...PACK_GATE, targetScore }, panel: analysts?.rule ?? "all" };
}

/** The number of the iteration that a pack run of a loop is. */
export function iterationOf({ job }: Pick<RunRecord, "job">): number {
  return Number(job.id.split("/").at(-1));
}

/** How the run's own files say that it ended, if the store's events would write them again. */
function recordedGate(
  state: string | undefined,
  manifest: string | undefined,
): RunEvidence["recorded"] {
  if (state === undefined || manifest === undefined) return undefined;
  if (!readArtifact("run_manifest.json", manifest).finished) return undefined;
  const { acceptanceGatePassed, reasons } = readArtifact("pack_state.json", state);
  return { accepted: acceptanceGatePassed, reasons };
}

/** The files of the run's folder as its stored events write them, by their names in it. */
async function recordedFiles(
  { store, digest }: EvidenceParts,
  { record, loop }: { readonly record: RunRecord; readonly loop: RunRecord | undefined },
): Promise<ReadonlyMap<string, string>> {
  const { folder } = readRunInput("pack", record.job.input);
  const { files, folders } = createMemoryFolders();
  const recorded = async (run: RunId, key: Key) => (await store.find(run, key))?.value;
  const projector = createRunProjector({ folders, digest, recorded });
  const own = await allEvents(store)(record.run);
  const isJudged = ({ kind }: StoredEvent) => kind === "pack-judged";
  await projector.apply(own.filter((event) => !isJudged(event)));
  for (const { run } of await store.listChildren(record.run)) {
    await projector.apply(await allEvents(store)(run));
  }
  await projector.apply(own.filter(isJudged));
  const above = loop === undefined ? [] : await allEvents(store)(loop.run);
  await projector.apply(above.filter(({ data }) => (data as { folder?: Json }).folder === folder));
  const names = [...files].map(
    ([path, content]) => [path.slice(folder.length + 1), content] as const,
  );
  return new Map(names);
}
