import { fromStored } from "../../contract/documents/codec.ts";
import { reportToJson } from "../../contract/http/pack-report.ts";
import { writeRunEvent } from "../../contract/scenarios/run-events.ts";
import {
  packResultShape,
  type RunInput,
  readRunInput,
  writeRunInput,
} from "../../contract/scenarios/run-inputs.ts";
import { openWrittenPack } from "../../contract/scenarios/write-manifest.ts";
import { analystFacts } from "../../domain/scenarios/analyst-facts.ts";
import { decisionLine } from "../../domain/scenarios/decision-line.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import { type AnalystAnswer, judgeRun } from "../../domain/scenarios/judge-run.ts";
import {
  decideLoopStep,
  type LoopStep,
  type PackIteration,
} from "../../domain/scenarios/pack-loop.ts";
import { saidIn } from "../../domain/scenarios/simulated-user.ts";
import { PACK_GATE } from "../../domain/scenarios/verdict-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Flow, FlowContext } from "../../ports/flow.ts";
import { askAnalysts, type Judged } from "./ask-analyst.ts";
import {
  type Iteration,
  type IterationState,
  iterationFolder,
  type PackResult,
} from "./loop-iteration.ts";
import { loopStop, targetsOf } from "./loop-stop.ts";
import { requireReached } from "./pack-flow.ts";
import { budgetUsedUp, isUsedUp } from "./question-budget.ts";
import { repairByCoder } from "./repair-by-coder.ts";
import type { CoderTools } from "./run-coder-once.ts";

type LoopInput = RunInput<"pack-loop">;

/** Replays, judges, applies the gate; then accepts, hands over, or repairs and replays until a rule ends it. */
export function createLoopFlow(tools: CoderTools): Flow {
  return async (ctx, json) => {
    const input = readRunInput("pack-loop", json);
    const { folder, specHash } = input;
    const { packId } = openWrittenPack(input.pack);
    const iterationsBefore = input.previous.length;
    ctx.emit(writeRunEvent("loop-began", { folder, specHash, packId, iterationsBefore }));
    const done: Iteration[] = [];
    const decisions = [...(input.decisions ?? [])];
    for (;;) {
      const latest = await playIteration(ctx, input, { done, decisions });
      done.push(latest);
      const decided = done.map((one) => one.decided);
      const step = decideLoopStep([...input.previous.map(pastIteration), ...decided], input);
      const next = await actOn(ctx, { input, done, decisions, step, tools });
      if (next !== undefined) return next;
    }
  };
}

interface Acting {
  readonly input: LoopInput;
  readonly done: Iteration[];
  /** What people decided, with their comments. */
  readonly decisions: string[];
  readonly step: LoopStep;
  readonly tools: CoderTools;
}

/** The result of the loop, or nothing when another iteration follows. */
async function actOn(ctx: FlowContext, acting: Acting): Promise<Json | undefined> {
  const { step, input, done, decisions } = acting;
  const latest = done.at(-1);
  if (latest === undefined) return undefined;
  if (step.kind === "ask-person") return askPerson(ctx, acting, analystQuestion(latest));
  if (step.kind !== "repair") return stop(ctx, acting, step.nextAction);
  const about = { input, latest, decisions, tools: acting.tools };
  const { status: coderStatus, question } = await repairByCoder(ctx, about);
  done[done.length - 1] = { ...latest, state: { ...latest.state, coderStatus } };
  if (coderStatus === "needs_decision" && question !== undefined) {
    const at = key("iteration", latest.number, "coder-decision");
    return askPerson(ctx, acting, { at, question, type: "none" });
  }
  return coderStatus === "patched" ? undefined : stop(ctx, acting, "inspect_repair_result");
}

/** What the analyst wants a person to decide. */
function analystQuestion({ number, judged }: Iteration): PersonQuestion {
  const verdict = judged.reading.kind === "read" ? judged.reading.verdict : undefined;
  return {
    at: key("iteration", number, "decision"),
    question: verdict?.userDecisionPrompt ?? "The analyst asks for a decision.",
    type: verdict?.userDecisionType ?? "none",
  };
}

interface PersonQuestion {
  readonly at: Key;
  readonly question: string;
  readonly type: string;
}

/** Neither analyst nor coder can decide, so the question goes to the inbox and the run waits. */
async function askPerson(
  ctx: FlowContext,
  acting: Acting,
  { at, question, type }: PersonQuestion,
): Promise<Json | undefined> {
  const { input } = acting;
  report(ctx, acting, { nextAction: "user_decision_required", finished: false, question });
  const answer = await ctx.waitForDecision(at, {
    kind: "user-decision",
    text: question,
    choices: ["continue", "stop"],
    context: { type, folder: input.folder },
  });
  const { by, choice, comment } = answer;
  acting.decisions.push(decisionLine({ by, choice, question, ...defined({ comment }) }));
  const used = input.previous.length + acting.done.length;
  return choice === "continue" && used < input.maxIterations
    ? undefined
    : stop(ctx, acting, "lead_coder_repair_required");
}

async function playIteration(
  ctx: FlowContext,
  input: LoopInput,
  { done, decisions }: Pick<Acting, "done" | "decisions">,
): Promise<Iteration> {
  const number = input.previous.length + done.length + 1;
  const folder = `${input.folder}/${iterationFolder(number)}`;
  const latest = done.at(-1);
  const said = latest === undefined ? input.said : saidIn(latest.pack.scenarios);
  const pack = await replay(ctx, input, { number, folder, ...defined({ said }) });
  const { packId, title, runId, finalStatus } = pack.state;
  const record = { packId, title, scenarios: pack.scenarios };
  const { targetScore, fileHints } = input;
  const rules = { ...PACK_GATE, targetScore };
  const panel = input.analysts?.rule ?? "all";
  const gateOf = (answers: readonly AnalystAnswer[]) =>
    judgeRun(record, fileHints, { answers, rules, panel });
  const one = { name: "analyst", model: input.analystModel };
  const judged = await askAnalysts(ctx, {
    number,
    record,
    targets: pack.state.repairTargets,
    input,
    asked: done.length,
    decisions,
    ...defined({ contract: input.contract }),
    accepts: (reading) => gateOf([{ ...one, reading }]).accepted,
  });
  const gate = gateOf(judged.answers);
  const analyst = analystFacts(judged.answers, gate.vote);
  const state: IterationState = {
    iteration: number,
    runId,
    status: finalStatus,
    accepted: gate.accepted,
    ...defined({ score: gate.score }),
    reasons: gate.reasons,
    requiresUserDecision:
      judged.reading.kind === "read" && judged.reading.verdict.requiresUserDecision,
  };
  const { specHash, repeat } = input;
  const whole = {
    ...pack.state,
    acceptanceGatePassed: gate.accepted,
    reasons: gate.reasons,
    analyst,
  };
  ctx.emit(writeRunEvent("pack-judged", { folder, specHash, repeat, state: whole, final: true }));
  const verdict = verdictOf(judged);
  const verdicts = input.analysts && Object.fromEntries(judged.texts);
  const iteration = { folder, iteration: state, verdict, ...defined({ verdicts }) };
  ctx.emit(writeRunEvent("iteration-judged", iteration));
  ctx.checkpoint("iteration-judged");
  const openTargets = gate.repairTargets.filter(blocksAcceptance).length;
  const decided = { status: finalStatus, gate, reading: judged.reading, openTargets };
  return { number, folder, pack: { ...pack, state: whole }, judged, state, decided };
}

/** The text of the verdict that decides what happens next. */
function verdictOf({ answers, reading, texts }: Judged): string {
  const name = answers.find((one) => one.reading === reading)?.name ?? "";
  return texts.get(name) ?? JSON.stringify({ void: true, problems: ["no reply"], reply: "" });
}

async function replay(
  ctx: FlowContext,
  input: LoopInput,
  at: { readonly number: number; readonly folder: string } & Pick<LoopInput, "said">,
): Promise<PackResult> {
  const { assistantUrl, assistantName, pack, specHash, repeat, fileHints, selection } = input;
  const { userModel } = input;
  const [ending] = await ctx.children([
    {
      id: `${ctx.job.id}/iteration/${at.number}`,
      kind: "pack",
      input: writeRunInput("pack", {
        ...{ folder: at.folder, assistantUrl, pack, specHash, repeat, fileHints },
        ...defined({ assistantName, selection, userModel, said: at.said }),
        awaitsAnalyst: true,
      }),
      settings: {},
      createdAt: ctx.job.createdAt,
    },
  ]);
  if (ending?.kind === "finished") return fromStored(packResultShape, ending.result);
  if (ending?.kind === "failed" && isUsedUp(ending)) throw budgetUsedUp(ending.error.facts);
  if (ending !== undefined) requireReached([ending]);
  const why = ending?.kind === "failed" ? ending.error.message : `it ended as ${ending?.kind}`;
  throw new AgentError(`The pack could not be played to its end: ${why}`, {
    code: "pack-unfinished",
  });
}

/** Earlier iterations count; what they found is in their own folders. */
function pastIteration({ status, accepted, reasons }: IterationState): PackIteration {
  const reading = { kind: "void", problems: [] } as const;
  return { status, gate: { accepted, reasons }, reading, openTargets: 0 };
}

function stop(ctx: FlowContext, acting: Acting, nextAction: string): Json {
  return report(ctx, acting, { nextAction, finished: true });
}

function report(
  ctx: FlowContext,
  { input, done, decisions }: Acting,
  how: { readonly nextAction: string; readonly finished: boolean; readonly question?: string },
): Json {
  const stopped = loopStop(input, done, { ...how, decisions });
  ctx.emit(writeRunEvent("loop-stopped", stopped));
  const latest = done.at(-1);
  if (latest === undefined) return null;
  const { state, scenarios } = latest.pack;
  return reportToJson({
    runId: ctx.run,
    kind: "pack-loop",
    subject: state.packId,
    title: state.title,
    folder: input.folder,
    finalStatus: state.finalStatus,
    accepted: latest.state.accepted,
    reasons: latest.state.reasons,
    scenarios,
    repairTargets: targetsOf(latest),
    ...defined({ assistant: state.assistant }),
    ...defined({ analyst: state.analyst, selection: state.selection }),
    nextAction: how.nextAction,
  });
}
