import { snakeCase } from "../../contract/documents/snake-case.ts";
import { PRESETS, type PresetName } from "../../domain/scenarios/assistant-formats.ts";
import type { SessionKind } from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { assistantAccessOf } from "../../wiring/features/question-models.ts";
import { type Trial, tryAssistant } from "../../wiring/features/try-assistant.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import type { Line } from "../shell/lay-out.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { clipped, row, rows } from "../shell/row.ts";
import { bad, good, heading, muted } from "../shell/styles.ts";
import { projectOf } from "./question-run.ts";

export interface TryFlags extends JsonFlags {
  readonly assistantUrl?: string;
  readonly preset?: string;
  readonly model?: string;
  readonly stream?: boolean;
}

/** Sends questions and shows what was read from where, so that the settings can be put right. */
export async function tryPack(
  cli: CliContext,
  questions: readonly string[],
  flags: TryFlags,
): Promise<void> {
  const project = await projectOf(cli, { ...defined({ assistantUrl: flags.assistantUrl }) });
  const access = assistantAccessOf(project);
  const { scenarios } = access.settings;
  const given = {
    ...defined({ preset: presetOf(flags), model: flags.model, stream: flags.stream }),
  };
  const assistant = { ...scenarios.assistant, ...given };
  const settings = { ...access.settings, scenarios: { ...scenarios, assistant } };
  const { baseUrl } = assistant;
  const tried = await tryAssistant(
    { ...access, settings },
    { baseUrl, questions },
    new AbortController().signal,
  );
  const last = tried.trials.at(-1)?.outcome;
  cli.end(last?.kind === "answered" && !isEmpty(last) ? exitCode.accepted : codeOf(last));
  const json = { sessions: tried.sessions, questions: tried.trials.map(trialToJson) };
  const url = flags.assistantUrl === undefined ? {} : { base_url: JSON.stringify(baseUrl) };
  const lines = tried.trials.flatMap(trialLines);
  printResult(cli, flags, json, [...lines, ...closing(tried, { ...url, ...given })]);
}

function isEmpty({ answer }: Extract<Trial["outcome"], { kind: "answered" }>): boolean {
  return answer.text.trim() === "";
}

function codeOf(outcome: Trial["outcome"] | undefined) {
  const isOutside = outcome?.kind === "failed" && !outcome.failure.accepted;
  return isOutside ? exitCode.outside : exitCode.notAccepted;
}

function presetOf({ preset }: TryFlags): PresetName | undefined {
  if (preset === undefined) return undefined;
  const known = PRESETS.find((name) => name === preset);
  if (known !== undefined) return known;
  throw invalidFlag(`There is no preset ${preset}.`, `Give one of ${PRESETS.join(", ")}.`);
}

function trialLines({ question, outcome, millis, sighting, expressions }: Trial): readonly Line[] {
  const sent = sighting?.request;
  return [
    [heading(clipped(question, 200)), muted(`  ${(millis / 1000).toFixed(1)} s`)],
    sent && row("sent", [sentTo(sent)]),
    sent?.body !== undefined && row("", [muted(clipped(asText(sent.body), 400))]),
    sighting && row("reply", [clipped(replyText(sighting.reply), 400)]),
    ...(outcome.kind === "failed"
      ? [row("failed", [bad(outcome.failure.kind), `  ${outcome.failure.message}`])]
      : []),
    ...(outcome.kind === "failed" && outcome.failure.excerpt !== undefined
      ? [row("", [muted(outcome.failure.excerpt)])]
      : []),
    ...(sighting === undefined ? [] : rows("read", partLines(sighting.looked, expressions))),
    "",
  ];
}

/** Neither a program nor a WebSocket has a method, and a program has no path. */
function sentTo({ method, url }: { readonly method: string; readonly url: string }): string {
  if (/^wss?:/u.test(url)) return url;
  return /^command:[^/]*/u.exec(url)?.[0] ?? `${method} ${url}`;
}

/** Every part, where it was looked for and what was there. */
function partLines(
  looked: { readonly [part: string]: Json },
  expressions: Trial["expressions"],
): readonly string[] {
  return Object.entries(expressions)
    .filter(([part, expression]) => expression !== "`null`" || looked[part] !== null)
    .map(([part, expression]) => {
      const value = looked[part] ?? null;
      const found = value === null ? "not found" : clipped(asText(value), 120);
      return `${snakeCase(part)} = ${found}   (${clipped(expression, 90)})`;
    });
}

function closing(
  { sessions, trials }: { readonly sessions: SessionKind; readonly trials: readonly Trial[] },
  given: { readonly [name: string]: Json },
): readonly Line[] {
  const last = trials.at(-1)?.outcome;
  if (last?.kind !== "answered") return ["Nothing was recorded.", last && whatToDo(last.failure)];
  if (isEmpty(last)) {
    return [
      bad("It answered, but with an empty text, which no step accepts."),
      "Where else the text is can be set under scenarios.assistant.message.answer.",
      muted("Nothing was recorded."),
    ];
  }
  const entries = Object.entries(given).map(([name, value]) => `${name}: ${asText(value)}`);
  return [
    [good("It answers. "), sessionText(sessions, last.answer.sessionId)],
    entries.length > 0 &&
      muted(`In signoff.yaml: scenarios: { assistant: { ${entries.join(", ")} } }`),
    muted("Nothing was recorded."),
  ];
}

function whatToDo({ kind, accepted, httpStatus }: FailedTrial["failure"]): string | undefined {
  if (!accepted && httpStatus !== undefined) return "It is busy: ask again later.";
  if (!accepted) return "Start the assistant, or correct --assistant-url.";
  if (kind === "missing_answer") {
    return "Parts that were not found are set under scenarios.assistant.message.answer.";
  }
  const isElsewhere = httpStatus === 404 || httpStatus === 405;
  return isElsewhere
    ? "Nothing answers there: correct --assistant-url, choose another --preset, or set scenarios.assistant.message.path."
    : undefined;
}

type FailedTrial = Extract<Trial["outcome"], { kind: "failed" }>;

function sessionText(sessions: SessionKind, id: string | undefined): string {
  switch (sessions) {
    case "none":
      return "It keeps no conversation: each question stands alone, and chains are refused.";
    case "history":
      return "The conversation is sent with each question.";
    case "client":
      return `Signoff chooses the session, such as ${id ?? ""}.`;
    case "rotating":
    case "given":
      return id === undefined
        ? "It named no session: each question stands alone, and chains cannot be asked."
        : `It named the session ${id}${sessions === "rotating" ? ", and a new one with each answer" : ""}.`;
  }
}

function replyText(reply: NonNullable<Trial["sighting"]>["reply"]): string {
  if (reply.kind === "body") return asText(reply.body);
  const last = reply.others.at(-1);
  return last === undefined ? "a stream of text" : `a stream; its last event ${asText(last)}`;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function trialToJson({ question, outcome, millis, sighting, expressions }: Trial): Json {
  return JSON.parse(
    JSON.stringify({
      question,
      seconds: millis / 1000,
      sent: sighting?.request ?? null,
      read: Object.fromEntries(
        Object.entries(expressions).map(([part, expression]) => [
          snakeCase(part),
          { expression, found: sighting?.looked[part as keyof typeof sighting.looked] ?? null },
        ]),
      ),
      failure: outcome.kind === "failed" ? outcome.failure : null,
    }),
  ) as Json;
}
