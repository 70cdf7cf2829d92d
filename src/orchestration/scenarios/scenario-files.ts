import { plainJson } from "../../contract/documents/json-text.ts";
import { writeArtifact } from "../../contract/scenarios/artifacts.ts";
import { readStoredScenario } from "../../contract/scenarios/parse-manifest.ts";
import type { RunEventData, TurnTaken } from "../../contract/scenarios/run-events.ts";
import { extractEntries } from "../../domain/scenarios/entries.ts";
import type { Finding } from "../../domain/scenarios/finding.ts";
import type { Scenario } from "../../domain/scenarios/manifest.ts";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";
import { counted } from "../../domain/values/counted.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { blockquote, bullets, markdownPage, oneLine, table } from "./markdown.ts";

type ScenarioState = RunEventData<"scenario-judged">["state"];

/** The files of a scenario before its first question. */
export function openingFiles(scenario: Json): readonly RecordFile[] {
  return [
    { name: "scenario_brief.md", content: renderBrief(readStoredScenario(scenario)) },
    { name: "scenario_manifest.json", content: plainJson(scenario) },
  ];
}

/** The six files of a step. A step that was not asked has them too, and they say why. */
export function stepFiles(
  judged: RunEventData<"step-judged">,
  turn: TurnTaken | undefined,
): readonly RecordFile[] {
  const { folder: _, turnKey: __, record, ...about } = judged;
  const answer = turn?.outcome.kind === "answered" ? turn.outcome.answer : undefined;
  const { entries, method } = extractEntries(answer?.entries ?? [], answer?.text ?? "");
  const state = { ...about, entries, entriesFrom: method, debug: answer?.debug ?? {}, ...record };
  const home = `steps/${record.stepId}`;
  return [
    { name: `${home}/output.md`, content: renderStep(record) },
    { name: `${home}/debug.json`, content: plainJson(answer?.debug ?? {}) },
    { name: `${home}/turn.json`, content: turnText(record, turn) },
    { name: `${home}/session.json`, content: plainJson(turn?.session ?? null) },
    { name: `${home}/assistant_response.json`, content: plainJson(responseOf(turn)) },
    { name: `${home}/step_state.json`, content: writeArtifact("step_state.json", state) },
  ];
}

/** What people read of a judged scenario. */
export function closingPages(state: ScenarioState): readonly RecordFile[] {
  return [
    { name: "scenario_output.md", content: renderTranscript(state) },
    { name: "scenario_summary.md", content: renderSummary(state) },
    { name: "final_status.md", content: renderFinal(state) },
  ];
}

/** Names of what a scenario has in its folder before it is judged. */
export function earlierNames({ steps }: ScenarioState): readonly string[] {
  return [
    "scenario_brief.md",
    "scenario_manifest.json",
    ...steps.flatMap(({ stepId }) => stepNames.map((name) => `steps/${stepId}/${name}`)),
  ];
}

const stepNames = [
  "output.md",
  "debug.json",
  "turn.json",
  "session.json",
  "assistant_response.json",
  "step_state.json",
] as const;

/** The files of a case: one question, before a repair and after it. */
export function caseFiles(judged: RunEventData<"case-judged">): readonly RecordFile[] {
  const { label, scenario, state, turn } = judged;
  const [record] = state.steps;
  const answer = turn?.outcome.kind === "answered" ? turn.outcome.answer : undefined;
  if (record === undefined) return [];
  return [
    { name: "case_brief.md", content: renderBrief(readStoredScenario(scenario)) },
    { name: `${label}_output.md`, content: renderStep(record) },
    { name: `${label}_debug.json`, content: plainJson(answer?.debug ?? {}) },
    { name: `${label}_turn.json`, content: turnText(record, turn) },
    { name: `${label}_state.json`, content: writeArtifact("scenario_state.json", state) },
  ];
}

/** The value unchanged: names keep their order and spelling. */
export function findingLine({ severity, invariant, expectation, evidence }: Finding): string {
  return `${severity} ${invariant}: expected ${expectation}; seen: ${evidence}`;
}

function turnText(record: StepRecord, turn: TurnTaken | undefined): string {
  const userMessage = record.questionResolved ?? record.questionTemplate;
  const outcome = turn?.outcome;
  if (outcome?.kind !== "answered") {
    const failure = defined({ failure: outcome?.failure });
    return writeArtifact("turn.json", { userMessage, ...failure, technicalDebugPayload: {} });
  }
  const { text, replyType, messageId, traceId, debug } = outcome.answer;
  return writeArtifact("turn.json", {
    userMessage,
    assistantMessage: { text, ...defined({ replyType, messageId, traceId }) },
    technicalDebugPayload: debug,
    ...defined({ recovered: outcome.recovered }),
  });
}

function responseOf(turn: TurnTaken | undefined): Json {
  if (turn === undefined) return null;
  const { outcome } = turn;
  if (outcome.kind === "answered") return outcome.answer.raw;
  return JSON.parse(JSON.stringify({ failure: outcome.failure })) as Json;
}

function renderBrief(scenario: Scenario): string {
  const { scenarioId, domain, title, description, bindings, steps, user } = scenario;
  return markdownPage(
    `# ${oneLine(title)}`,
    `Scenario ${scenarioId}, domain ${oneLine(domain)}, ${counted(steps.length, "step")} in one session.`,
    description === "" ? "" : blockquote(description),
    bullets(Object.entries(bindings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)),
    table(
      ["step", "question", "depends on", "counts as"],
      steps.map(({ stepId, question, dependsOn, criticality }) => [
        ...[stepId, question, dependsOn.join(", "), criticality],
      ]),
    ),
    user === undefined
      ? ""
      : `A simulated user talks on, at most ${counted(user.maxTurns, "turn")}.\n\n${blockquote(`${user.persona}\n\nGoal: ${user.goal}`)}`,
  );
}

function renderStep(record: StepRecord): string {
  const question = record.questionResolved ?? record.questionTemplate;
  const answer =
    record.execution === "answered"
      ? `Visible answer:\n\n${blockquote(record.answerText)}`
      : `There is no answer: ${record.execution}.`;
  return markdownPage(
    `# ${oneLine(record.title)}: ${record.status}`,
    ...(record.dialogue === "goal"
      ? goalParts(record)
      : [`Question:\n\n${blockquote(question)}`, answer]),
    record.findings.length === 0
      ? "Every check passed."
      : bullets(record.findings.map(findingLine)),
  );
}

function renderTranscript(state: ScenarioState): string {
  return markdownPage(
    `# ${oneLine(state.title)}`,
    ...state.steps.flatMap((step) => [
      `## ${oneLine(step.title)}`,
      ...(step.dialogue === "goal" ? goalParts(step) : exchangeParts(step)),
    ]),
  );
}

function exchangeParts(step: StepRecord): readonly string[] {
  const who = step.dialogue === "turn" ? "Simulated user" : "User";
  return [
    `**${who}**\n\n${blockquote(step.questionResolved ?? step.questionTemplate)}`,
    step.execution === "answered"
      ? `**Assistant**\n\n${blockquote(step.answerText)}`
      : `No answer: ${step.execution}.`,
  ];
}

function goalParts({ questionTemplate, answerText, findings }: StepRecord): readonly string[] {
  const isReached = findings.length === 0;
  const ending = isReached ? answerText : findings.map(({ evidence }) => evidence).join("; ");
  return [
    blockquote(questionTemplate),
    `${isReached ? "Reached" : "Not reached"}: ${oneLine(ending)}`,
  ];
}

function renderSummary(state: ScenarioState): string {
  return markdownPage(
    `# ${oneLine(state.title)}: ${state.status}`,
    `Session ${oneLine(state.sessionId ?? "none")}, attempt ${state.attempt}, ${state.startedAt} to ${state.finishedAt}.`,
    table(
      ["step", "status", "reply type", "findings"],
      state.steps.map((step) => [
        step.stepId,
        step.flaky === true ? `${step.status} (flaky)` : step.status,
        step.replyType ?? "",
        step.findings.map(({ severity, invariant }) => `${severity} ${invariant}`).join(", "),
      ]),
    ),
  );
}

function renderFinal(state: ScenarioState): string {
  const open = state.steps.flatMap((step) =>
    step.findings.map((finding) => `${step.stepId}: ${findingLine(finding)}`),
  );
  return markdownPage(
    `# ${state.status}`,
    open.length === 0 ? "Every check passed." : bullets(open),
  );
}
