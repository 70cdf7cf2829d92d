import type { PackRun } from "../../contract/http/packs.ts";
import type { ArtifactValue } from "../../contract/scenarios/artifacts.ts";
import { reviewTruth } from "../../domain/scenarios/reviews.ts";
import { runOutcome } from "../../domain/scenarios/run-outcome.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { findReadable } from "./artifact-files.ts";

/** Where the runs of a project's packs are. */
export interface PackLibrary {
  readonly folders: RunFolders;
  /** The default folder of runs, relative to the project. */
  readonly outputFolder: string;
  /** Other folders inside the project that commands were given. */
  readonly storedFolders: () => Promise<readonly string[]>;
  /** `pack_state.json` as the store's events write it; undefined for a run that it does not have. */
  readonly recordedState: (runId: string) => Promise<string | undefined>;
  /** Finished runs by folder and manifest. They do not change, so each is read once. */
  readonly known: Map<string, PackRun>;
}

type LoopState = ArtifactValue<"loop_state.json">;

export interface LibraryRun {
  readonly folder: string;
  readonly run: PackRun;
  /** Absent until the loop has stopped for the first time. */
  readonly loop?: LoopState;
}

interface Place {
  readonly folder: string;
  readonly stageId?: string;
}

/** Folders that are read side by side; more would only wait for the disk, with files held open. */
const atOnce = 50;

/** Every run of a pack or a scenario, oldest first. An iteration of a loop is a run like any other. */
export async function findPackRuns(library: PackLibrary): Promise<readonly LibraryRun[]> {
  const found = new Map<string, LibraryRun>();
  const places = await placesOf(library);
  for (let from = 0; from < places.length; from += atOnce) {
    const some = places.slice(from, from + atOnce);
    const runs = await Promise.all(some.map((place) => runsAt(library, place)));
    for (const one of runs.flat()) {
      if (!found.has(one.run.runId)) found.set(one.run.runId, one);
    }
  }
  return [...found.values()].sort((a, b) => (orderOf(a.run) < orderOf(b.run) ? -1 : 1));
}

export async function findPackRun(library: PackLibrary, runId: string): Promise<LibraryRun> {
  const found = (await findPackRuns(library)).find(({ run }) => run.runId === runId);
  if (found !== undefined) return found;
  throw new WorkflowError(`No folder of this project holds run ${runId}.`, {
    code: "run-unknown",
    facts: { run: runId },
  });
}

/** Runs without a start time count as the newest. */
function orderOf({ startedAt = "9999", runId }: PackRun): string {
  return `${startedAt} ${runId}`;
}

/** Folders that hold a run now, without archived ones and those of stages. */
export async function currentFolders(library: PackLibrary): Promise<readonly string[]> {
  const { folders, outputFolder } = library;
  const named = (await folders.names(outputFolder)).map((name) => `${outputFolder}/${name}`);
  const all = new Set([...named, ...(await library.storedFolders())]);
  const isOther = (folder: string) =>
    folder.endsWith(".runs") || folder.startsWith(`${outputFolder}/stage_agent_loops`);
  return [...all].filter((folder) => !isOther(folder)).sort();
}

async function placesOf(library: PackLibrary): Promise<readonly Place[]> {
  const { folders, outputFolder } = library;
  const below = async (folder: string) =>
    (await folders.names(folder)).map((name) => `${folder}/${name}`);
  const homes: Place[] = [];
  for (const stageId of await folders.names(`${outputFolder}/stage_agent_loops`)) {
    const loops = await below(`${outputFolder}/stage_agent_loops/${stageId}/domain_loops`);
    homes.push(...loops.map((folder) => ({ folder, stageId })));
  }
  homes.push(...(await below(outputFolder)).map((folder) => ({ folder })));
  for (const folder of await library.storedFolders()) {
    homes.push({ folder }, { folder: `${folder}.runs` });
  }
  const places: Place[] = [];
  for (const home of homes) {
    if (!home.folder.endsWith(".runs")) places.push(home);
    else places.push(...(await below(home.folder)).map((folder) => ({ ...home, folder })));
  }
  return places;
}

async function runsAt(library: PackLibrary, place: Place): Promise<readonly LibraryRun[]> {
  const { folders } = library;
  const manifest = await readManifest(library, place.folder);
  if (manifest === undefined || manifest.value.kind === "case") return [];
  if (manifest.value.kind !== "pack-loop") return [await libraryRun(library, place, { manifest })];
  const loop = await findReadable(folders, place.folder, "loop_state.json");
  const found: LibraryRun[] = [];
  for (const name of await folders.names(`${place.folder}/iterations`)) {
    const at = { ...place, folder: `${place.folder}/iterations/${name}` };
    const own = await readManifest(library, at.folder);
    if (own === undefined) continue;
    const iteration = { loopRun: manifest.value.runId, number: Number(name), loop };
    found.push(await libraryRun(library, at, { manifest: own, iteration }));
  }
  return found;
}

interface ReadManifest {
  readonly value: ArtifactValue<"run_manifest.json">;
  readonly text: string;
}

interface Known {
  readonly manifest: ReadManifest;
  readonly iteration?: {
    readonly loopRun: string;
    readonly number: number;
    readonly loop: LoopState | undefined;
  };
}

async function readManifest(
  { folders }: PackLibrary,
  folder: string,
): Promise<ReadManifest | undefined> {
  const text = await folders.read(folder, "run_manifest.json");
  const value = await findReadable({ read: async () => text }, folder, "run_manifest.json");
  return text === undefined || value === undefined ? undefined : { text, value };
}

async function libraryRun(
  library: PackLibrary,
  { folder, stageId }: Place,
  { manifest, iteration }: Known,
): Promise<LibraryRun> {
  const run = await readRun(library, folder, manifest);
  const { loop } = iteration ?? {};
  const score = loop?.iterations.find((one) => one.runId === run.runId)?.score;
  return {
    folder,
    run: {
      ...run,
      ...defined({
        loop: iteration && {
          ...{ runId: iteration.loopRun, iteration: iteration.number },
          ...defined({ score }),
        },
        stageId,
      }),
    },
    ...defined({ loop }),
  };
}

async function readRun(
  library: PackLibrary,
  folder: string,
  { value, text }: ReadManifest,
): Promise<PackRun> {
  const { runId, subject } = value;
  const key = `${folder}\n${text}`;
  const known = library.known.get(key);
  if (known !== undefined) return known;
  const kind = value.kind === "scenario" ? "scenario" : "pack";
  const recorded = kind === "pack" ? await library.recordedState(runId) : undefined;
  const isRecorded = { recorded: recorded !== undefined };
  const nothing = { accepted: false, ...isRecorded, steps: 0, stepsPassed: 0, unresolvedP0: 0 };
  const blank = { runId, packId: subject, title: subject, kind, ...nothing } as const;
  if (!value.finished) return { ...blank, state: "unfinished" };
  const facts = await (kind === "pack" ? packFacts : scenarioFacts)(library, folder, recorded);
  if (facts === undefined) return { ...blank, state: "damaged" };
  const { finalStatus = "blocked", accepted } = facts;
  const outcome = runOutcome({ finalStatus, accepted });
  const run = { ...blank, ...facts, outcome, state: "finished" as const };
  library.known.set(key, run);
  return run;
}

type Facts = Omit<PackRun, "runId" | "packId" | "kind" | "state" | "recorded" | "outcome">;

/** A headline that is not the one that was recorded counts for nothing. */
async function packFacts(
  { folders }: PackLibrary,
  folder: string,
  recorded: string | undefined,
): Promise<Facts | undefined> {
  const headline = await folders.read(folder, "pack_state.json");
  if (recorded !== undefined && headline !== recorded) return undefined;
  const state = await findReadable(folders, folder, "pack_state.json");
  const truth = await findReadable(folders, folder, "truth_review.json");
  const [first] = state?.scenarios ?? [];
  if (state === undefined || truth === undefined || first === undefined) return undefined;
  const home = `${folder}/scenarios/${first.scenarioId}`;
  const started = await findReadable(folders, home, "scenario_state.json");
  return {
    title: state.title,
    finalStatus: state.finalStatus,
    accepted: state.acceptanceGatePassed,
    unresolvedP0: state.unresolvedP0Count,
    ...passed(truth.summary),
    ...defined({ startedAt: started?.startedAt }),
  };
}

async function scenarioFacts({ folders }: PackLibrary, folder: string): Promise<Facts | undefined> {
  const state = await findReadable(folders, folder, "scenario_state.json");
  if (state === undefined) return undefined;
  const { scenarioId, title, startedAt, status } = state;
  const { summary } = reviewTruth({ packId: scenarioId, title, scenarios: [state] });
  return {
    title,
    startedAt,
    finalStatus: status,
    accepted: status === "accepted" && summary.overallStatus === "pass",
    unresolvedP0: summary.unresolvedP0,
    ...passed(summary),
  };
}

function passed({ steps, failedSteps }: { readonly steps: number; readonly failedSteps: number }) {
  return { steps, stepsPassed: steps - failedSteps };
}
