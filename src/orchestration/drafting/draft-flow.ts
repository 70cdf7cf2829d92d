import { encodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import { decodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { encodeDecision } from "../../contract/drafting/iteration.ts";
import { type CheckTools, checksOf, runChecks } from "../../domain/drafting/checks.ts";
import { decideState, decisionRule, type LoopDecision } from "../../domain/drafting/decision.ts";
import { type DraftInput, namedReviewers } from "../../domain/drafting/draft-input.ts";
import type { CandidateWritten, DraftEvent, LoopStarted } from "../../domain/drafting/events.ts";
import {
  type IssueLedger,
  personIssue,
  personReviewer,
  raiseIssues,
} from "../../domain/drafting/issue-ledger.ts";
import type { LoopIteration, LoopState } from "../../domain/drafting/iteration.ts";
import type { LoopPhase } from "../../domain/drafting/session.ts";
import { currentLedger, nextIteration, takeTurn } from "../../domain/drafting/take-turn.ts";
import { defined } from "../../domain/values/defined.ts";
import { key } from "../../domain/values/ids.ts";
import { type Instant, instant, secondsBetween } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Flow, FlowContext } from "../../ports/flow.ts";
import type { Reply } from "../../ports/runner.ts";
import { checkToolsFor } from "./check-tools.ts";
import { type CreatorAsk, DraftAsks, type LoopPosition, type ProvenanceOf } from "./draft-asks.ts";
import { candidateIdOf, issueIdOf } from "./draft-ids.ts";
import {
  askCreators,
  askReviewers,
  type Created,
  type Received,
  type Reviewed,
  runProvenance,
} from "./read-replies.ts";
import { usageOf } from "./usage-totals.ts";

export const draftFlow: Flow = (ctx, json) => runDraftLoop(ctx, decodeDraftInput(json));

export interface LoopOptions {
  readonly provenanceOf?: ProvenanceOf;
  /** The turns given already decide: no call is made, only the decision. */
  readonly closes?: boolean;
}

/** The loop of a drafting run: create, check, review, decide, until both sides sign or a rule ends it. */
export async function runDraftLoop(
  ctx: FlowContext,
  input: DraftInput,
  { provenanceOf = () => [], closes = false }: LoopOptions = {},
): Promise<Json> {
  const emit = (event: DraftEvent): void => ctx.emit(encodeDraftEvent(event));
  const enter = (phase: LoopPhase, turn: number): void =>
    emit({ kind: "phase-entered", phase, turn });
  const asks = new DraftAsks(input, { nonce: (name) => ctx.nonce(name), provenanceOf });
  const tools = await checkToolsFor(input.recipe.checks);
  const loop: Loop = { ctx, input, asks, tools, emit, enter };
  const started = startOf(loop);
  emit(started);
  enter("initialized", 0);
  const { stopRules } = input.recipe;
  let state: LoopState = { maxIterations: input.maxTurns, iterations: input.previous };
  let ledger = currentLedger(state);
  const standing = closes ? decideState(state, stopRules) : undefined;
  if (standing !== undefined) return close(loop, standing, started.createdAt);
  for (;;) {
    const taken = await takeNextTurn(loop, { state, ledger });
    state = taken.state;
    const decision = decideState(state, stopRules);
    if (decision !== undefined) return close(loop, decision, taken.finishedAt);
    ledger = await askPerson(loop, taken.iteration);
  }
}

interface Loop {
  readonly ctx: FlowContext;
  readonly input: DraftInput;
  readonly asks: DraftAsks;
  readonly tools: CheckTools;
  readonly emit: (event: DraftEvent) => void;
  readonly enter: (phase: LoopPhase, turn: number) => void;
}

interface Taken {
  readonly state: LoopState;
  readonly iteration: LoopIteration;
  readonly finishedAt: Instant;
}

/** The time that scripted replies bear: a run of a script leaves the same bytes whenever it runs. */
const scriptedTime = instant("2000-01-01T00:00:00Z");

function startOf({ ctx, input }: Loop): LoopStarted {
  return {
    kind: "loop-started",
    assetId: input.assetId,
    recipe: input.recipe.id,
    brief: input.brief,
    creatorModel: input.creator.model,
    reviewers: namedReviewers(input.reviewers),
    maxTurns: input.maxTurns,
    standIn: input.standIn,
    createdAt: input.fixedIds ? scriptedTime : ctx.job.createdAt,
  };
}

async function takeNextTurn(loop: Loop, standing: LoopPosition): Promise<Taken> {
  const turn = nextIteration(standing.state);
  const created = await write(loop, standing, turn);
  const written = created.received.map((one) => {
    const { index } = one;
    const candidateId = candidateIdOf(loop.ctx, loop.input, { iteration: turn, index });
    return candidateWritten(loop, turn, { ...one, candidateId });
  });
  for (const one of written) loop.emit(one);
  loop.enter("reviewing", turn);
  const reviewed = await review(loop, standing, written);
  const { state, iteration } = judge(loop, standing, { written, reviewed: reviewed.received });
  loop.enter("deciding", turn);
  const replies = [...created.replies, ...reviewed.replies];
  const finishedAt = latest(replies);
  loop.emit({
    kind: "iteration-recorded",
    iteration,
    durationSeconds: secondsBetween(earliest(replies), finishedAt),
    finishedAt,
    usage: usageOf(replies),
  });
  loop.ctx.checkpoint("turn-decided");
  return { state, iteration, finishedAt };
}

async function write(loop: Loop, standing: LoopPosition, turn: number): Promise<Received<Created>> {
  loop.enter("generating", turn);
  const { edited, previous } = loop.input;
  if (edited !== undefined && standing.state.iterations.length === previous.length) {
    return { received: [writtenByPerson(loop, edited)], replies: [] };
  }
  const asks: CreatorAsk[] = [];
  for (let index = 1; index <= loop.input.candidates; index += 1) {
    asks.push(loop.asks.create(standing, index));
  }
  return askCreators(loop.ctx, loop.asks, asks);
}

/** A person's text is checked and reviewed like any other. */
function writtenByPerson(
  { ctx }: Loop,
  { text, by }: { readonly text: string; readonly by: string },
): Created {
  const at = ctx.job.createdAt;
  const reply: Reply = {
    text,
    model: personReviewer,
    finish: "complete",
    startedAt: at,
    finishedAt: at,
    replayed: false,
  };
  return {
    index: 1,
    said: { content: text, done: true, answers: [] },
    reply,
    provenance: [runProvenance(ctx, reply, "creator"), { kind: "person", ref: by, metadata: {} }],
  };
}

export function candidateWritten(
  { input, tools }: Pick<Loop, "input" | "tools">,
  turn: number,
  { index, said, reply, provenance, candidateId }: Created & { readonly candidateId: string },
): CandidateWritten {
  return {
    kind: "candidate-written",
    turn,
    index,
    candidate: {
      candidateId,
      assetId: input.assetId,
      format: said.format ?? input.recipe.format,
      content: said.content,
      createdAt: reply.finishedAt,
      provenance,
    },
    done: said.done,
    answers: said.answers,
    checks: runChecks(checksOf(input.recipe), said.content, tools),
    durationSeconds: secondsBetween(reply.startedAt, reply.finishedAt),
  };
}

function review(
  { ctx, input, asks }: Loop,
  standing: LoopPosition,
  written: readonly CandidateWritten[],
): Promise<Received<Reviewed>> {
  const questions = written.flatMap(({ index, candidate, answers, checks }) =>
    input.reviewers.map((role) =>
      asks.review(standing, { index, text: candidate.content, answers, checks }, role),
    ),
  );
  return askReviewers(ctx, asks, questions);
}

function judge(
  { ctx, input, emit }: Loop,
  { state, ledger }: LoopPosition,
  said: { readonly written: readonly CandidateWritten[]; readonly reviewed: readonly Reviewed[] },
) {
  const { lockedText } = input;
  const outcome = takeTurn({
    state,
    ledger,
    candidates: said.written.map((one) => ({
      members: said.reviewed.filter(({ index }) => index === one.index).map(({ member }) => member),
      ...one,
    })),
    rule: input.panelRule,
    ...defined({ lockedText }),
    issueId: (place) => issueIdOf(ctx, input, place),
  });
  if (outcome.kind !== "taken") {
    const why = outcome.kind === "failed" ? outcome.reason : "the loop had ended";
    throw new AgentError(`The turn came to nothing: ${why}.`, { code: "turn-failed" });
  }
  for (const { index, members } of outcome.judged) {
    // Members who failed have no review.
    const replied = said.reviewed.filter(
      (one) => one.index === index && one.member.kind === "replied",
    );
    members.forEach((member, at) => {
      const durationSeconds = replied[at]?.durationSeconds ?? 0;
      const turn = outcome.iteration.iteration;
      emit({ kind: "review-received", turn, index, review: member, durationSeconds });
    });
  }
  return outcome;
}

/** With `stop_on_needs_human` a person is asked when a reviewer asks for one; the comment becomes an objection. */
async function askPerson({ ctx, input }: Loop, last: LoopIteration): Promise<IssueLedger> {
  const { iteration, review: verdict, candidate, ledger } = last;
  if (!input.recipe.stopOnNeedsHuman || verdict.verdict !== "needs_human") return ledger;
  const { comment } = await ctx.waitForDecision(key("turn", iteration, "person"), {
    kind: "needs-human",
    text: `The reviewer of turn ${iteration} calls for a person.`,
    choices: ["continue"],
    context: { iteration, text: candidate.content, summary: verdict.summary ?? null },
  });
  if (comment === undefined || comment.trim() === "") return ledger;
  const issueId = ctx.newId(`person_issue:${input.assetId}:${iteration}`);
  return raiseIssues(ledger, [personIssue(issueId, comment)], iteration);
}

function close({ emit, enter }: Loop, decision: LoopDecision, decidedAt: Instant): Json {
  emit({ kind: "loop-decided", decision, rule: decisionRule, decidedAt });
  enter("completed", decision.finalIteration ?? 0);
  return { decision: encodeDecision(decision), rule: decisionRule };
}

function earliest(replies: readonly Reply[]): Instant {
  return replies.map(({ startedAt }) => startedAt).reduce((a, b) => (a < b ? a : b));
}

function latest(replies: readonly Reply[]): Instant {
  return replies.map(({ finishedAt }) => finishedAt).reduce((a, b) => (a > b ? a : b));
}
