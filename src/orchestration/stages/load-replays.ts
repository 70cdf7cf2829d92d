import { readCoderRecord } from "../../contract/scenarios/coder-record.ts";
import { readRunInput } from "../../contract/scenarios/run-inputs.ts";
import { type CheckLists, withLists } from "../../domain/scenarios/check-rules.ts";
import { type DerivedRun, derivePackRun } from "../../domain/scenarios/derive-run.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import { foldText } from "../../domain/scenarios/folded-text.ts";
import type { JudgingRules } from "../../domain/scenarios/play-step.ts";
import {
  countOpen,
  mergeTargets,
  problemTypeOf,
  type RepairTarget,
  targetIdOf,
} from "../../domain/scenarios/repair-targets.ts";
import type { ScenarioRecord, StepRecord } from "../../domain/scenarios/run-record.ts";
import type { AnalystVerdict } from "../../domain/scenarios/verdict.ts";
import type {
  AskedQuestion,
  QuestionIdentity,
  StageFinding,
} from "../../domain/stages/asked-question.ts";
import type { Replay } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { key, type RunId } from "../../domain/values/ids.ts";
import { isOver } from "../../domain/values/is-over.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import { iterationFolder } from "../scenarios/loop-iteration.ts";
import { analystTargets } from "../scenarios/loop-stop.ts";
import {
  type EvidenceParts,
  iterationOf,
  loadRunEvidence,
  type StoredRun,
} from "../scenarios/run-evidence.ts";
import { assistantOfJob } from "../scenarios/same-assistant.ts";
import { askedInScenario } from "./question-identity.ts";
import type { StageRecords, StoredReplay } from "./stage.ts";

/** What replays are derived from. */
export interface ReplaySource extends Omit<EvidenceParts, "store"> {
  readonly store: StageRecords;
  /** How answers are judged again. */
  readonly judging: JudgingRules;
}

/** Every judged iteration of the stage's loops, oldest first. The folder of a loop has no say in it. */
export async function loadReplays(
  parts: ReplaySource,
  folder: string,
): Promise<readonly StoredReplay[]> {
  const { store } = parts;
  const loops = await store.read(({ stages }) =>
    stages.runsBelow("pack-loop", `${folder}/domain_loops`),
  );
  const found: StoredReplay[] = [];
  for (const run of loops) {
    const loop = await store.runs.load(run);
    if (loop !== undefined) found.push(...(await iterationsOf(parts, folder, loop)));
  }
  return found;
}

/** An iteration counts once its loop has ended, waits for a person, or went on to the next. */
async function iterationsOf(
  parts: ReplaySource,
  folder: string,
  loop: RunRecord,
): Promise<readonly StoredReplay[]> {
  const played: RunRecord[] = [];
  for (const { run } of await parts.store.runs.listChildren(loop.run)) {
    const record = await parts.store.runs.load(run);
    if (record?.job.kind === "pack") played.push(record);
  }
  played.sort((left, right) => iterationOf(left) - iterationOf(right));
  const isStill = !isOver(loop) && loop.state !== "waiting";
  const found: StoredReplay[] = [];
  for (const record of isStill ? played.slice(0, -1) : played) {
    const replay = await replayOf(parts, { folder, loop, record });
    if (replay !== undefined) found.push(replay);
  }
  return found;
}

async function replayOf(
  { store, folders, digest, judging }: ReplaySource,
  at: { readonly folder: string; readonly loop: RunRecord; readonly record: RunRecord },
): Promise<StoredReplay | undefined> {
  const { folder, loop, record } = at;
  const input = readRunInput("pack-loop", loop.job.input);
  const { folder: loopFolder, analystModel, checkLists } = input;
  const number = iterationOf(record);
  const loopId = `${loopFolder.split("/").at(-1)}/${iterationFolder(number)}`;
  const place = `domain_loops/${loopId}`;
  const where = { runId: record.run, folder: `${folder}/${place}` };
  const stored = await loadRunEvidence({ store: store.runs, folders, digest }, where);
  if (stored === undefined || stored.evidence.analysts === "awaited") return undefined;
  // What it showed then does not vanish with a shorter list in today's settings.
  const rules = withLists(judging.rules, checkLists);
  const derived = derivePackRun(stored.evidence, { ...judging, rules });
  const about = { stored, derived, loopId, analyst: analystModel, digest };
  return {
    event: loopEvent({ ...about, ...defined({ checkLists }) }),
    endedAt: loop.updatedAt,
    changedFiles: stored.evidence.changedFiles.map(({ name }) => `${place}/${name}`),
    ...defined({ coder: await coderAfter(store.runs, loop.run, number) }),
  };
}

async function coderAfter(
  runs: Pick<RunStore, "find">,
  loop: RunId,
  number: number,
): Promise<StoredReplay["coder"]> {
  const at = key("iteration", number, "coder");
  const ended = await runs.find(loop, at);
  if (ended !== undefined) return readCoderRecord(ended.value);
  return (await runs.find(loop, key(at, "start"))) === undefined ? undefined : "lost";
}

interface Derived {
  readonly stored: StoredRun;
  readonly derived: DerivedRun;
  readonly loopId: string;
  readonly analyst: string;
  readonly digest: ReplaySource["digest"];
  readonly checkLists?: CheckLists;
}

function loopEvent(about: Derived): StoredReplay["event"] {
  const { stored, derived, loopId } = about;
  const said = verdictsOf(stored);
  const { specHash: packHash } = readRunInput("pack", stored.record.job.input);
  const objections = said.flatMap(({ verdict }) => analystTargets(verdict));
  const open = countOpen(mergeTargets([...derived.repairTargets, ...objections]));
  const replay = replayOfAnswers(about, { said, packHash });
  return {
    kind: "loop-finished",
    loopId,
    run: derived.runId,
    packHash,
    status: derived.finalStatus,
    accepted: derived.accepted,
    requiresUserDecision: said.some(({ verdict }) => verdict.requiresUserDecision),
    openP0: open.P0,
    openP1: open.P1,
    ...(derived.reasons.length === 0 ? {} : { problems: derived.reasons }),
    ...defined({ replay }),
  };
}

interface Said {
  readonly model: string;
  readonly verdict: AnalystVerdict;
}

/** The verdicts that could be read, each with the model that gave it. */
function verdictsOf({ evidence }: StoredRun): readonly Said[] {
  const { analysts } = evidence;
  if (analysts === undefined || analysts === "awaited") return [];
  return analysts.answers.flatMap(({ model, reading }) =>
    reading?.kind === "read" ? [{ model, verdict: reading.verdict }] : [],
  );
}

/** Undefined where nothing was answered: an assistant that is down shows nothing about its answers. */
function replayOfAnswers(
  { stored, derived, analyst, digest, checkLists }: Derived,
  { said, packHash }: { readonly said: readonly Said[]; readonly packHash: string },
): Replay | undefined {
  const { startedAt: begunAt, record, deciders, score } = derived;
  const played = record.scenarios.flatMap((scenario, index) => {
    const { scenario: planned } = stored.evidence.scenarios[index] ?? {};
    if (planned === undefined) return [];
    const asked = askedInScenario(planned, scenario, digest);
    return asked.map((one, at) => ({ ...one, scenario, step: scenario.steps[at] }));
  });
  if (begunAt === undefined || !played.some(({ isAnswered }) => isAnswered)) return undefined;
  const asking = said.find(({ verdict }) => verdict.requiresUserDecision);
  const decisionNeeded = asking?.verdict.userDecisionPrompt;
  return {
    begunAt,
    assistant: {
      ...(assistantOfJob(stored.record.job.input) ?? { url: "" }),
      ...defined({ setup: setupOf(stored) }),
    },
    analyst,
    deciders,
    ...defined({ score, decisionNeeded, checkLists }),
    asked: played.map(({ stepId: _, scenario: __, step: ___, ...asked }) => asked),
    findings: [
      ...checkedFindings(derived, played),
      ...analystFindings(derived, { said, packHash, played }),
    ],
  };
}

/** How its answers were asked for and read; several where the settings changed while it was played. */
function setupOf({ evidence }: StoredRun): string | undefined {
  const answers = evidence.scenarios.flatMap(({ repeats }) =>
    repeats.flatMap((chain) => [...chain.answers.values()]),
  );
  const setups = new Set(answers.flatMap(({ setup }) => setup ?? []));
  return setups.size === 0 ? undefined : [...setups].sort().join("+");
}

interface PlayedQuestion extends AskedQuestion {
  readonly stepId: string;
  readonly scenario: ScenarioRecord;
  readonly step: StepRecord | undefined;
}

/** A target of several questions is one finding for each: all of them have to pass. */
function checkedFindings(
  { repairTargets }: DerivedRun,
  played: readonly PlayedQuestion[],
): readonly StageFinding[] {
  return repairTargets.filter(blocksAcceptance).flatMap((target) =>
    target.occurrences.flatMap(({ scenarioId, stepId }) => {
      const asked = played.find(
        (one) => one.scenario.scenarioId === scenarioId && one.stepId === stepId,
      );
      if (asked?.step === undefined) return [];
      const isVisible = asked.step.findings
        .filter(({ invariant }) => problemTypeOf(invariant) === target.problemType)
        .every(({ visible }) => visible);
      return [{ ...findingOf(target), ...questionIdentityOf(asked), isVisible }];
    }),
  );
}

function analystFindings(
  { repairTargets }: DerivedRun,
  about: {
    readonly said: readonly Said[];
    readonly packHash: string;
    readonly played: readonly PlayedQuestion[];
  },
): readonly StageFinding[] {
  const { said, packHash, played } = about;
  const known = new Set(
    repairTargets.map(({ problemType, question }) => targetIdOf(problemType, question)),
  );
  return said
    .flatMap(({ model, verdict }) => analystTargets(verdict).map((target) => ({ model, target })))
    .filter(({ target }) => blocksAcceptance(target) && !known.has(target.targetId))
    .map(({ model: analyst, target }) => {
      const asked = played.find(({ question }) => foldText(question) === foldText(target.question));
      const identity = asked === undefined ? { basis: packHash } : questionIdentityOf(asked);
      return { ...findingOf(target), ...identity, isVisible: false, analyst };
    });
}

export function findingOf(target: RepairTarget) {
  const { targetId: findingId, severity, problemType, question } = target;
  return { findingId, severity, problemType, question, target };
}

export function questionIdentityOf({ question, asAsked, asWorded, basis }: QuestionIdentity) {
  return { question, ...defined({ asAsked, asWorded, basis }) };
}
