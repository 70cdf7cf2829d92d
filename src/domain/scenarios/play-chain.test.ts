import { expect, test } from "vitest";
import { DEFAULT_CHECK_RULES } from "./check-rules.ts";
import { NO_EXPECTATIONS, type Scenario, type Step } from "./manifest.ts";
import { conversationOf, playChain } from "./play-chain.ts";
import type { ChainMove, ChainReply } from "./play-step.ts";
import { foldRepeats } from "./repeats.ts";
import { historyOf } from "./scenario-progress.ts";
import type { UserMove } from "./simulated-user.ts";
import type { AssistantOutcome } from "./turn.ts";

const how = {
  rules: DEFAULT_CHECK_RULES,
  matches: (pattern: string, text: string) => new RegExp(pattern, "u").test(text),
  isUsable: () => true,
};
const step = (stepId: string, question: string): Step => ({
  ...{ stepId, title: stepId, question, dependsOn: [], criticality: "critical" },
  ...{ expectations: NO_EXPECTATIONS, semanticTags: [] },
});
const stock: Scenario = {
  ...{ scenarioId: "stock", domain: "shop", title: "Stock", description: "" },
  ...{ bindings: { day: "2024-06-30" }, analysisContext: {} },
  steps: [step("first", "How many on {{bindings.day}}?"), step("second", "And lamps?")],
};
const answered = (text: string): AssistantOutcome => ({
  kind: "answered",
  answer: { text, sessionId: "s", debug: {}, entries: [], semanticMemory: {}, raw: {} },
});

function play(scenario: Scenario, reply: (move: ChainMove) => ChainReply) {
  const playing = playChain(scenario, how);
  let next = playing.next();
  while (next.done !== true) next = playing.next(reply(next.value));
  return conversationOf(scenario, next.value);
}

test("an assistant that is sent the conversation gets the questions as they were asked", () => {
  const histories: unknown[] = [];
  play(stock, (move) => {
    if (move.kind === "ask") histories.push(historyOf(move.progress));
    return move.kind === "ask" ? answered("9 pieces") : undefined;
  });
  expect(histories.at(-1)).toEqual([
    { role: "user", text: "How many on 2024-06-30?" },
    { role: "assistant", text: "9 pieces" },
  ]);
});

const open: Scenario = {
  ...stock,
  steps: [],
  user: {
    ...{ persona: "In a hurry.", goal: "Stock on {{bindings.day}}?", maxTurns: 2 },
    ...{ goalAnswerPatternsAny: [], turn: step("turn", "") },
  },
};

const talk = (moves: readonly UserMove[], text = "9 pieces") =>
  play(open, (move) => {
    if (move.kind === "speak") return moves[move.turn - 1];
    return move.kind === "ask" ? answered(text) : undefined;
  });
const says = (text: string): UserMove => ({ kind: "says", text });

test.each<[string, readonly UserMove[], string, string]>([
  ["a quote", [says("How many?"), { kind: "reached", quote: "9 PIECES." }], "accepted", ""],
  [
    "a quote too short to say anything",
    [says("How many?"), { kind: "reached", quote: "piece" }],
    "partial",
    "no answer of the dialogue contains what the user quotes: piece",
  ],
  [
    "a quote that no answer contains",
    [says("How many?"), { kind: "reached", quote: "12 pieces" }],
    "partial",
    "no answer of the dialogue contains what the user quotes: 12 pieces",
  ],
  [
    "a user that gives up",
    [says("How many?"), { kind: "gave-up", why: "It is rude." }],
    "partial",
    "the user gave up: It is rude.",
  ],
  [
    "a user that never ends",
    [says("How many?"), says("{{bindings.day}}?"), says("Well?")],
    "partial",
    "the limit of 2 turns was reached",
  ],
  ["no recorded reply", [], "partial", "no reply of the simulated user is recorded"],
])("the goal is decided by %s", (_, moves, status, why) => {
  const { steps } = talk(moves);
  const goal = steps.at(-1);
  expect(goal).toMatchObject({ stepId: "goal", status, questionTemplate: "Stock on 2024-06-30?" });
  expect(goal?.findings.map(({ evidence }) => evidence).join("")).toBe(why);
  const turns = moves.slice(0, 2).flatMap((move) => (move.kind === "says" ? [move.text] : []));
  expect(steps.slice(0, -1).map((one) => one.questionResolved)).toEqual(turns);
});

test("of several dialogues the worst counts as a whole", () => {
  const good = talk([says("How many?"), { kind: "reached", quote: "9 pieces" }]);
  const bad = talk([says("Desks?"), says("Well?"), says("Well?")]);
  const folded = foldRepeats([good, bad]);
  expect(folded.steps.map(({ questionTemplate }) => questionTemplate)).toEqual([
    "Desks?",
    "Well?",
    "Stock on 2024-06-30?",
  ]);
  expect(folded.steps.at(-1)).toMatchObject({ flaky: true, repeats: { passed: 1, of: 2 } });
});

test("a dialogue continues the answered steps of its chain, but no quote from them reaches its goal", () => {
  const talks: unknown[] = [];
  const failure = { kind: "timed_out", message: "no answer in 180 s", accepted: true } as const;
  const { steps } = play({ ...open, steps: stock.steps }, (move) => {
    if (move.kind === "speak") {
      talks.push([move.before, ...move.talk]);
      return move.turn === 1 ? says("Chairs?") : { kind: "reached", quote: "9 pieces" };
    }
    if (move.kind !== "ask") return undefined;
    if (move.step.stepId === "second") return { kind: "failed", failure };
    return answered(move.step.stepId === "first" ? "9 pieces" : "4 chairs");
  });
  const first = { question: "How many on 2024-06-30?", answer: "9 pieces" };
  expect(talks[0]).toEqual([1, first]);
  expect(steps.at(-1)).toMatchObject({ stepId: "goal", status: "partial" });
});

test.each<[string, readonly UserMove[], number, string]>([
  ["an answer matches one of them", [says("How many?"), says("Well?")], 1, ""],
  [
    "no answer matches one in time",
    [says("Desks?"), says("Desks?")],
    2,
    "no answer matches /pieces/ or /lamps/ within 2 turns",
  ],
  [
    "the user is content before an answer matches one",
    [says("Desks?"), { kind: "reached", quote: "No idea" }],
    1,
    "no answer matches /pieces/ or /lamps/ although the user says that the goal is reached",
  ],
])("a goal with patterns, where %s", (_, moves, turns, why) => {
  const user = { ...open.user!, goalAnswerPatternsAny: ["pieces", "lamps"] };
  const { steps } = play({ ...open, user }, (move) => {
    if (move.kind === "speak") return moves[move.turn - 1];
    if (move.kind !== "ask") return undefined;
    return answered(move.step.question === "How many?" ? "9 pieces\nin all" : "No idea");
  });
  const [status, answerText] = why === "" ? ["accepted", "9 pieces"] : ["partial", ""];
  expect(steps[turns]).toMatchObject({ stepId: "goal", status, answerText });
  expect(steps[turns]?.findings.map(({ evidence }) => evidence).join("")).toBe(why);
});
