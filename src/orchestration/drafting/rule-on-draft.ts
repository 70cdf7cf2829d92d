import { decodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { bestTurn } from "../../domain/drafting/best-candidate.ts";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { personIssue, raiseIssues } from "../../domain/drafting/issue-ledger.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import { isReviewOnly } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { isObject } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { RecordFiles } from "../../ports/record-files.ts";
import type { Repos, RunRuling } from "../../ports/repos.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { allEvents } from "../runs/all-events.ts";
import { closingFiles } from "./draft-record.ts";
import { type LoadedSession, loadSession } from "./load-session.ts";
import { type StartDraft, startDraft } from "./start-draft.ts";

/** Who acts, and how we know. */
export interface Author {
  readonly by: string;
  readonly knownHow: string;
}

/** An act on a run. With `ifVersion` it counts only while the run has that many rulings. */
interface Act extends Author {
  readonly ifVersion?: number;
}

export interface RulingParts {
  readonly store: Store<Repos> & { readonly runs: RunStore };
  readonly engine: Engine;
  readonly files: RecordFiles;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly idInRun: (run: RunId, name: string) => string;
}

/** The run that continues from this one after the last ruling that asked for more. */
export async function successorOf(
  { store, idInRun }: Pick<RulingParts, "idInRun" | "store">,
  rulings: readonly RunRuling[],
): Promise<RunId | undefined> {
  const asked = rulings.findLast(({ act }) => act !== "approve");
  if (asked === undefined) return undefined;
  return (await store.runs.load(nextRun(idInRun, asked)))?.run;
}

/** Derived from the ruling, so that each can be found from the other. */
function nextRun(idInRun: RulingParts["idInRun"], { run, number }: RunRuling): RunId {
  return runId(idInRun(run, `ruling/${number}`));
}

/** A person selects a candidate of an ended loop. The loop's own decision does not change. */
export async function approveDraft(
  parts: RulingParts,
  run: RunId,
  act: Act & { readonly reason?: string; readonly turn?: number },
): Promise<RunRuling> {
  const loaded = await loadEnded(parts, run);
  const { candidateId: candidate, content: text } = chosenTurn(loaded, act.turn).candidate;
  const { by, knownHow, reason, ifVersion } = act;
  const person = { by, knownHow, ...defined({ reason }) };
  const approval = { run, act: "approve", ...person, candidate, text } as const;
  const ruling = await keepRuling(parts, approval, ifVersion);
  await parts.store.transaction(({ inbox }) => inbox.settle(run));
  return ruling;
}

/** Starts the next generation after the last turn, with the comment as an objection that must be answered. */
export async function requestChanges(
  parts: RulingParts,
  run: RunId,
  act: Act & { readonly comment: string },
): Promise<{ readonly ruling: RunRuling; readonly next: RunId }> {
  const loaded = await loadEnded(parts, run);
  requireWriter(loaded);
  const { by, knownHow, comment } = act;
  const last = lastTurn(loaded);
  const issue = personIssue(parts.newId(), comment);
  const ledger = raiseIssues(last.ledger, [issue], last.iteration);
  const ruling = await keepRuling(
    parts,
    { run, act: "request_changes", by, knownHow, reason: comment },
    act.ifVersion,
  );
  const input = nextGeneration(loaded, [...loaded.iterations.slice(0, -1), { ...last, ledger }]);
  return { ruling, next: await follow(parts, ruling, { input, ...settingsOf(loaded) }) };
}

/** Starts the next generation with a person's own text, which is checked and reviewed like any other. */
export async function editDraft(
  parts: RulingParts,
  run: RunId,
  act: Act & { readonly text: string; readonly reason?: string },
): Promise<{ readonly ruling: RunRuling; readonly next: RunId }> {
  const loaded = await loadEnded(parts, run);
  requireWriter(loaded);
  const { by, knownHow, reason } = act;
  const text = act.text.trim();
  const ruling = await keepRuling(
    parts,
    { run, act: "edit", by, knownHow, text, ...defined({ reason }) },
    act.ifVersion,
  );
  const input = { ...nextGeneration(loaded, loaded.iterations), edited: { text, by } };
  return { ruling, next: await follow(parts, ruling, { input, ...settingsOf(loaded) }) };
}

/** After a review alone there is no writer to continue. */
function requireWriter({ record: { run }, session }: LoadedSession): void {
  if (session === undefined || !isReviewOnly(session)) return;
  throw new WorkflowError(`Run ${run} only reviewed a text, so there is no writer to continue.`, {
    code: "run-not-a-draft",
    facts: { run },
    hint: "Give the text to `signoff draft` with --from to have it reviewed and written on.",
  });
}

/** The next generation keeps the settings that were frozen with this one. */
function settingsOf({ record: { settings } }: LoadedSession): Pick<StartDraft, "settings"> {
  return isObject(settings) ? { settings } : {};
}

async function loadEnded({ store }: RulingParts, run: RunId): Promise<LoadedSession> {
  const loaded = await loadSession(store, run);
  const { kind = "draft" } = loaded?.record.job ?? {};
  // Loops of other features keep their results elsewhere, where a ruling here would have no effect.
  if (kind !== "draft") {
    throw new WorkflowError(`Run ${run} is not a draft; its kind is ${kind}.`, {
      code: "run-not-a-draft",
      facts: { run, kind },
      hint: "Texts of an episode are decided with `signoff episode pick`, `signoff episode edit` and `signoff episode unlock`.",
    });
  }
  if (loaded?.session?.decision !== undefined) return loaded;
  throw new WorkflowError(`Run ${run} has no decision yet, so there is nothing to rule on.`, {
    code: "run-undecided",
    facts: { run },
    hint: `Continue with \`signoff runs resume ${run}\`.`,
  });
}

/** The turn named, else the approved one, else the best by the loop's own measure. */
function chosenTurn({ iterations, session }: LoadedSession, turn?: number): LoopIteration {
  const named = iterations.find(({ iteration }) => iteration === turn);
  if (turn !== undefined && named === undefined) {
    throw new WorkflowError(`There is no turn ${turn}.`, {
      code: "turn-unknown",
      facts: { turn, turns: iterations.map(({ iteration }) => iteration) },
    });
  }
  const decided = iterations.find(
    ({ iteration }) =>
      session?.decision?.outcome === "converged" && iteration === session.decision.finalIteration,
  );
  return named ?? decided ?? bestTurn(iterations) ?? lastTurn({ iterations });
}

function lastTurn({ iterations }: Pick<LoadedSession, "iterations">): LoopIteration {
  const last = iterations.at(-1);
  if (last !== undefined) return last;
  throw new WorkflowError("No turn was taken.", { code: "no-turn" });
}

/** A limit is a total: the next generation gets as many more turns as its recipe gives. */
function nextGeneration(
  { record }: LoadedSession,
  iterations: readonly LoopIteration[],
): DraftInput {
  const { edited: _, ...input } = decodeDraftInput(record.job.input);
  const previous = [...input.previous, ...iterations];
  const last = previous.at(-1)?.iteration ?? 0;
  return { ...input, previous, maxTurns: last + input.recipe.maxTurns, follows: record.run };
}

/** The loop leaves the inbox once its next generation exists; after a crash in between it can be ruled on again. */
async function follow(
  parts: RulingParts,
  ruling: RunRuling,
  start: Pick<StartDraft, "input" | "settings">,
): Promise<RunId> {
  const run = nextRun(parts.idInRun, ruling);
  const started = await startDraft(parts, { ...start, newId: parts.newId, run, fresh: true });
  await parts.store.transaction(({ inbox }) => inbox.settle(ruling.run));
  return started.run;
}

/** Stored before anything acts on it. */
async function keepRuling(
  { store, files, clock }: RulingParts,
  ruling: Omit<RunRuling, "number" | "at">,
  ifVersion: number | undefined,
): Promise<RunRuling> {
  const { kept, all } = await store.transaction(async ({ rulings }) => {
    const present = await rulings.of(ruling.run);
    if (ifVersion !== undefined && present.length !== ifVersion) throw decidedMeanwhile(present);
    const kept = await rulings.append({ ...ruling, at: clock.now() });
    return { kept, all: await rulings.of(ruling.run) };
  });
  const events = await allEvents(store.runs)(ruling.run);
  await files.write(ruling.run, closingFiles(ruling.run, events, all));
  return kept;
}

const acts: { readonly [act in RunRuling["act"]]: string } = {
  approve: "approved it",
  request_changes: "requested changes",
  edit: "replaced the text",
};

/** Says what the other person did. */
function decidedMeanwhile(rulings: readonly RunRuling[]): WorkflowError {
  const last = rulings.at(-1);
  const what = last === undefined ? "the state has changed" : `${last.by} ${acts[last.act]}`;
  const why = last?.reason === undefined ? "" : `: ${last.reason}`;
  return new WorkflowError(`This was decided meanwhile; ${what}${why}. Nothing was changed.`, {
    code: "already-decided",
    facts: last === undefined ? {} : { by: last.by, act: last.act, at: last.at },
    hint: "Look at the run again before you decide.",
  });
}
