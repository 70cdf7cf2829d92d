import { counted } from "../values/counted.ts";
import { gradeFinding, visibleFinding } from "./finding.ts";
import { excerpt, firstLine } from "./folded-text.ts";
import { NO_EXPECTATIONS, type SimulatedUser, type Step } from "./manifest.ts";
import {
  addStep,
  type ChainMove,
  type ChainReply,
  type JudgingRules,
  type Playing,
  playStep,
} from "./play-step.ts";
import { planStep, recordStep } from "./scenario-progress.ts";
import {
  goalStepId,
  isQuoted,
  type SaidAndAnswered,
  turnStepId,
  type UserMove,
} from "./simulated-user.ts";
import { judgeStep } from "./step-status.ts";

/** How an open dialogue ended: with what reached the goal, or with why it was not reached. */
type DialogueEnding = { readonly reachedBy: string } | { readonly why: string };

/** An open dialogue after the steps of its chain. The last step says whether the goal was reached. */
export function* playUser(
  playing: Playing,
  user: SimulatedUser,
  how: JudgingRules,
): Generator<ChainMove, void, ChainReply> {
  const goal = goalStep(user);
  const planned = planStep(goal, playing.progress, how.isUsable);
  if (planned.kind !== "ask") {
    const judgement = judgeStep(goal, planned, how);
    const record = recordStep(goal, undefined, { execution: planned, judgement });
    yield* addStep(playing, { ...record, dialogue: "goal" }, false);
    return;
  }
  const { question, expectations } = planned.step;
  const meant = {
    ...user,
    goal: question,
    goalAnswerPatternsAny: expectations.requiredAnswerPatternsAny,
  };
  const ending = yield* talk(playing, meant, how);
  yield* addStep(playing, goalRecord(playing, meant, ending), false);
}

function goalStep({ turn, goal, goalAnswerPatternsAny }: SimulatedUser): Step {
  const expectations = { ...NO_EXPECTATIONS, requiredAnswerPatternsAny: goalAnswerPatternsAny };
  return { ...turn, stepId: goalStepId, title: goalTitle, question: goal, expectations };
}

const goalTitle = "Goal of the simulated user";

function* talk(
  playing: Playing,
  user: SimulatedUser,
  how: JudgingRules,
): Generator<ChainMove, DialogueEnding, ChainReply> {
  const said: SaidAndAnswered[] = playing.steps
    .filter(({ execution }) => execution === "answered")
    .map((step) => ({
      question: step.questionResolved ?? step.questionTemplate,
      answer: step.answerText,
    }));
  const before = said.length;
  const own = () => said.slice(before);
  const { maxTurns, goalAnswerPatternsAny: patterns } = user;
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const move = yield { kind: "speak", user, turn, talk: said, before };
    if (move?.kind !== "says") return endingOf(move as UserMove | undefined, user, own());
    const execution = yield* playStep(playing, turnStep(playing, user, turn), how, move.text);
    if (execution.kind !== "answered") return { why: `turn ${turn} was not answered` };
    const { text } = execution.answer;
    said.push({ question: move.text, answer: text });
    if (patterns.some((pattern) => how.matches(pattern, text))) {
      return { reachedBy: firstLine(text) };
    }
  }
  if (patterns.length > 0) return { why: noMatch(user, `within ${counted(maxTurns, "turn")}`) };
  const last = yield { kind: "speak", user, turn: maxTurns + 1, talk: said, before };
  return endingOf(last as UserMove | undefined, user, own());
}

/** The user's word counts only with the answer of the dialogue that it rests on. */
function endingOf(
  move: UserMove | undefined,
  user: SimulatedUser,
  said: readonly SaidAndAnswered[],
): DialogueEnding {
  switch (move?.kind) {
    case undefined:
      return { why: "no reply of the simulated user is recorded" };
    case "says":
      return { why: `the limit of ${counted(user.maxTurns, "turn")} was reached` };
    case "gave-up":
      return { why: `the user gave up: ${move.why}` };
    case "reached":
      if (user.goalAnswerPatternsAny.length > 0) {
        return { why: noMatch(user, "although the user says that the goal is reached") };
      }
      return isQuoted(move.quote, said)
        ? { reachedBy: move.quote }
        : {
            why: `no answer of the dialogue contains what the user quotes: ${excerpt(move.quote)}`,
          };
  }
}

function noMatch({ goalAnswerPatternsAny: patterns }: SimulatedUser, when: string): string {
  return `no answer matches ${patterns.map((pattern) => `/${pattern}/`).join(" or ")} ${when}`;
}

/** Every turn follows the one before it. */
function turnStep({ steps }: Playing, { turn }: SimulatedUser, number: number): Step {
  const dependsOn = steps.slice(-1).map(({ stepId }) => stepId);
  return { ...turn, stepId: turnStepId(number), title: `Turn ${number}`, dependsOn };
}

function goalRecord(
  { steps }: Playing,
  { goal, turn: { criticality } }: SimulatedUser,
  ending: DialogueEnding,
): Playing["steps"][number] {
  const isReached = "reachedBy" in ending;
  const draft = isReached ? [] : [visibleFinding("goal_reached", `goal: ${goal}`, ending.why)];
  return {
    stepId: goalStepId,
    title: goalTitle,
    criticality,
    dependsOn: steps.slice(-1).map(({ stepId }) => stepId),
    placeholderRoots: [],
    carryoverInvariants: [],
    questionTemplate: goal,
    execution: "answered",
    answerText: isReached ? ending.reachedBy : "",
    status: isReached ? "accepted" : "partial",
    findings: draft.map((one) => gradeFinding(one, {}, criticality)),
    dialogue: "goal",
  };
}
