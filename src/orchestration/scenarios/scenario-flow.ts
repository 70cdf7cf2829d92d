import { toWire } from "../../contract/documents/snake-case.ts";
import { scenarioRecordShape } from "../../contract/scenarios/artifact-shapes.ts";
import { readStoredScenario } from "../../contract/scenarios/parse-manifest.ts";
import {
  type RunEventData,
  type RunEventKind,
  type TurnTaken,
  writeRunEvent,
} from "../../contract/scenarios/run-events.ts";
import { type RunInput, readRunInput } from "../../contract/scenarios/run-inputs.ts";
import type { Scenario } from "../../domain/scenarios/manifest.ts";
import { chainNeeds, type Unobserved } from "../../domain/scenarios/payload-needs.ts";
import { conversationOf, type PlayedChain, playChain } from "../../domain/scenarios/play-chain.ts";
import type { ChainMove, JudgingRules } from "../../domain/scenarios/play-step.ts";
import { scenarioStatus } from "../../domain/scenarios/run-record.ts";
import { historyOf } from "../../domain/scenarios/scenario-progress.ts";
import type { UserMove } from "../../domain/scenarios/simulated-user.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { AssistantAt } from "../../ports/assistant.ts";
import type { Flow, FlowContext } from "../../ports/flow.ts";
import {
  askAssistant,
  readEnding,
  readSessionAfter,
  type TurnEnding,
  type TurnParts,
} from "./ask-assistant.ts";
import { askUser } from "./ask-user.ts";

export interface ScenarioParts extends JudgingRules, Omit<TurnParts, "assistant"> {
  readonly assistantAt: AssistantAt;
}

interface Chain {
  readonly ctx: FlowContext;
  readonly input: RunInput<"scenario">;
  readonly scenario: Scenario;
  readonly parts: ScenarioParts & TurnParts;
  /** An effect ran in this execution, so what comes next was not asked by an earlier one. */
  isLive: boolean;
  /** What the simulated user asked in an earlier run or attempt; it is asked again before anything new. */
  said: readonly string[];
}

interface Played extends PlayedChain {
  /** Only these two: each turn holds the whole session up to then. */
  readonly firstTurn: TurnTaken | undefined;
  readonly lastTurn: TurnTaken | undefined;
}

/** Where the journal of a scenario's run keeps the answer to a step. */
export function turnKeyOf(attempt: number, stepId: string): Key {
  return key("attempt", attempt, "step", stepId);
}

/** Where it keeps the session after that answer; runs of the last version have it with the answer. */
export function sessionKeyOf(turnKey: Key): Key {
  return key(turnKey, "session");
}

/** One chain of questions in one session. After a lost session the chain starts again; both attempts are kept. */
export function createScenarioFlow(parts: ScenarioParts): Flow {
  return async (ctx, json) => {
    const input = readRunInput("scenario", json);
    const chain: Chain = {
      ctx,
      input,
      scenario: readStoredScenario(input.scenario),
      parts: { ...parts, assistant: parts.assistantAt(input.assistantUrl) },
      isLive: false,
      said: input.said ?? [],
    };
    const { folder, own, scenario } = input;
    if (!isCase(chain)) {
      emit(chain, "scenario-began", { folder, scenario, ...defined({ own }) });
    }
    for (let attempt = 1; ; attempt += 1) {
      const played = await playAttempt(chain, attempt);
      if ("restart" in played) {
        emit(chain, "scenario-restarted", { folder, attempt, because: played.restart });
      } else {
        return close(chain, attempt, played);
      }
    }
  };
}

async function playAttempt(
  chain: Chain,
  attempt: number,
): Promise<Played | { readonly restart: string }> {
  const { scenario, parts } = chain;
  let firstTurn: TurnTaken | undefined;
  let lastTurn: TurnTaken | undefined;
  const playing = playChain(scenario, parts);
  let next = playing.next();
  while (next.done !== true) {
    const move = next.value;
    if (move.kind === "judged") {
      const { record, stepIndex, wasAsked } = move;
      const turnKey = turnKeyOf(attempt, record.stepId);
      emitStep(chain, { record, stepIndex, ...(wasAsked ? { turnKey } : {}) });
      next = playing.next();
    } else if (move.kind === "speak") {
      next = playing.next(await speak(chain, move, attempt));
    } else {
      const ending = await ask(chain, move, attempt);
      if (ending.kind === "restart") return { restart: ending.because };
      lastTurn = ending.turn;
      firstTurn ??= lastTurn;
      next = playing.next(lastTurn.outcome);
    }
  }
  return { ...next.value, firstTurn, lastTurn };
}

async function speak(
  chain: Chain,
  { user, turn, talk, before }: Extract<ChainMove, { kind: "speak" }>,
  attempt: number,
): Promise<UserMove> {
  const { ctx, input, said } = chain;
  const again = turn <= user.maxTurns ? said[turn - 1] : undefined;
  if (again !== undefined) return { kind: "says", text: again };
  const { userModel: model } = input;
  if (model === undefined) throw new Error("a simulated user has no model");
  const move = await askUser(ctx, { user, turn, talk, before, attempt, model });
  if (move.kind === "says" && turn <= user.maxTurns) chain.said = [...said, move.text];
  return move;
}

async function ask(
  chain: Chain,
  { step, progress, repeated }: Extract<ChainMove, { kind: "ask" }>,
  attempt: number,
): Promise<TurnEnding> {
  const { ctx, scenario, parts } = chain;
  const turnKey = turnKeyOf(attempt, step.stepId);
  const { sessions } = parts.assistant;
  const isOurs = sessions === "client" || sessions === "history";
  const sessionId = progress.sessionId ?? (isOurs ? ctx.newId(`session/${attempt}`) : undefined);
  const message = {
    question: step.question,
    analysisContext: scenario.analysisContext,
    history: historyOf(progress),
    ...defined({ sessionId, headers: step.headers }),
  };
  const recorded = await ctx.step(
    turnKey,
    { question: step.question, session_id: sessionId ?? null, context: scenario.analysisContext },
    (signal) => {
      const mayHaveBeenSent = !chain.isLive;
      chain.isLive = true;
      const isNeeded = (unobserved: readonly Unobserved[]) =>
        chainNeeds(scenario, step.stepId, unobserved);
      const wasHeard = progress.answered.length > 0;
      const how = { mayHaveBeenSent, repeated, isNeeded, wasHeard, signal };
      return askAssistant(message, how, parts);
    },
  );
  const ending = readEnding(recorded);
  return ending.kind === "restart" ? ending : withSession(chain, ending.turn, turnKey);
}

/** The answer is safe by now: a process that dies while it reads the session does not ask again. */
async function withSession(chain: Chain, turn: TurnTaken, turnKey: Key): Promise<TurnEnding> {
  const { ctx, parts } = chain;
  const { outcome } = turn;
  const sessionId = outcome.kind === "answered" ? outcome.answer.sessionId : undefined;
  if (turn.session !== undefined || sessionId === undefined) return { kind: "taken", turn };
  const session = await ctx.step(sessionKeyOf(turnKey), { session_id: sessionId }, (signal) => {
    chain.isLive = true;
    return readSessionAfter(sessionId, parts.assistant, signal);
  });
  return { kind: "taken", turn: { ...turn, session } };
}

function emitStep(
  chain: Chain,
  judged: Pick<RunEventData<"step-judged">, "record" | "stepIndex" | "turnKey">,
): void {
  if (isCase(chain)) return;
  const { folder } = chain.input;
  const { scenarioId, domain, analysisContext } = chain.scenario;
  emit(chain, "step-judged", { folder, scenarioId, domain, analysisContext, ...judged });
  chain.ctx.checkpoint("step-judged");
}

function close(chain: Chain, attempt: number, played: Played) {
  const { progress, firstTurn, lastTurn } = played;
  const { ctx, input, scenario } = chain;
  const { bindings } = scenario;
  const { semanticMemory } = progress;
  const record = conversationOf(scenario, played);
  const state = {
    ...record,
    status: scenarioStatus(record),
    attempt,
    startedAt: firstTurn?.startedAt ?? ctx.job.createdAt,
    finishedAt: lastTurn?.finishedAt ?? ctx.job.createdAt,
    bindings,
    semanticMemory,
  };
  const { folder, own, label = "baseline" } = input;
  if (own?.kind === "case") {
    const { specHash } = own;
    const judged = { folder, label, scenario: input.scenario, specHash, state };
    emit(chain, "case-judged", { ...judged, ...defined({ turn: firstTurn }) });
  } else {
    emit(chain, "scenario-judged", { folder, state, ...defined({ own }) });
  }
  ctx.checkpoint("scenario-judged");
  return toWire(scenarioRecordShape, record, { absent: "omit" });
}

function isCase({ input }: Chain): boolean {
  return input.own?.kind === "case";
}

function emit<K extends RunEventKind>({ ctx }: Chain, kind: K, data: RunEventData<K>): void {
  ctx.emit(writeRunEvent(kind, data));
}
