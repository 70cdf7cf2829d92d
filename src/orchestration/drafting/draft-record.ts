import { jsonText } from "../../contract/documents/json-text.ts";
import { decodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import { encodeIteration } from "../../contract/drafting/iteration.ts";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import { rulingsToJson } from "../../contract/http/rulings.ts";
import type { TextFormat } from "../../domain/drafting/candidate.ts";
import { type DraftRuling, lastRuling } from "../../domain/drafting/draft-outcome.ts";
import type { DraftEvent, IterationRecorded } from "../../domain/drafting/events.ts";
import { describeVote } from "../../domain/drafting/panel.ts";
import { type DraftSession, succeeded, type Turn } from "../../domain/drafting/session.ts";
import { sessionFromEvents } from "../../domain/drafting/session-from-events.ts";
import { describeSignature } from "../../domain/drafting/signature.ts";
import { notByModel } from "../../domain/evidence/standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { withFinalNewline } from "../../domain/values/final-newline.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { linesOf } from "../../domain/values/lines.ts";
import { visibleText } from "../../domain/values/visible.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import type { RecordFile, RecordFiles } from "../../ports/record-files.ts";
import type { RunRuling } from "../../ports/repos.ts";

const draftEventKinds: readonly string[] = [
  "loop-started",
  "phase-entered",
  "candidate-written",
  "review-received",
  "iteration-recorded",
  "loop-decided",
];

/** A stored event of a drafting loop; undefined for any other. */
export function readDraftEvent(event: StoredEvent): DraftEvent | undefined {
  return draftEventKinds.includes(event.kind) ? decodeDraftEvent(event) : undefined;
}

/** Writes turns when they are recorded, and the session with its whole record when it is decided. */
export function createDraftRecord(parts: {
  readonly files: RecordFiles;
  readonly eventsOf: (run: RunId) => Promise<readonly StoredEvent[]>;
}): Projector {
  const { files, eventsOf } = parts;
  return {
    jobs: ["draft"],
    kinds: ["iteration-recorded", "loop-decided"],
    async apply(stored) {
      const run = stored[0]?.run;
      if (run === undefined) return;
      await files.write(run, stored.flatMap(turnFiles));
      if (stored.some(isDecision)) {
        await files.write(run, closingFiles(run, await eventsOf(run)));
      }
    },
  };
}

/** All files that these events should have produced; `doctor` compares them with the present ones. */
export function expectedRecord(
  run: RunId,
  events: readonly StoredEvent[],
  rulings: readonly RunRuling[],
): readonly RecordFile[] {
  const turns = events.flatMap(turnFiles);
  if (!events.some(isDecision)) return turns;
  return [...turns, ...closingFiles(run, events, rulings)];
}

function isDecision({ kind }: StoredEvent): boolean {
  return kind === "loop-decided";
}

const extensions: { readonly [format in TextFormat]: string } = {
  markdown: "md",
  plain: "txt",
  html: "html",
};

function turnFiles(stored: StoredEvent): readonly RecordFile[] {
  if (stored.kind !== "iteration-recorded") return [];
  const { iteration } = decodeDraftEvent(stored) as IterationRecorded;
  const name = `turn_${String(iteration.iteration).padStart(2, "0")}`;
  const { content, format } = iteration.candidate;
  return [
    { name: `${name}.json`, content: jsonText(encodeIteration(iteration)) },
    { name: `${name}.${extensions[format]}`, content: withFinalNewline(visibleText(content)) },
  ];
}

/** The events that make up a decided session; the others add nothing to the iterations. */
const sessionKinds: readonly string[] = ["loop-started", "iteration-recorded", "loop-decided"];

/** What is written when a loop is decided, and again when a person rules on it. */
export function closingFiles(
  run: RunId,
  stored: readonly StoredEvent[],
  rulings: readonly RunRuling[] = [],
): readonly RecordFile[] {
  const events = stored.filter(({ kind }) => sessionKinds.includes(kind)).map(decodeDraftEvent);
  const session = sessionFromEvents(run, events, defined({ ruling: lastRuling(rulings) }));
  if (session === undefined) return [];
  const last = events.findLast((event) => event.kind === "iteration-recorded");
  const format = last?.iteration.candidate.format ?? "markdown";
  const approved = succeeded(session) ? session.finalText : undefined;
  return [
    ...(approved === undefined ? [] : [approvedFile(approved, format)]),
    { name: "record.md", content: recordText(session) },
    { name: "session.json", content: jsonText(sessionToJson(session)) },
    ...(rulings.length === 0
      ? []
      : [{ name: "rulings.json", content: jsonText(rulingsToJson(rulings)) }]),
  ];
}

function approvedFile(text: string, format: TextFormat): RecordFile {
  return { name: `approved.${extensions[format]}`, content: withFinalNewline(visibleText(text)) };
}

/** The whole record of a run, readable without any other file. */
export function recordText(session: DraftSession): string {
  return visibleText(renderRecord(session));
}

function renderRecord(session: DraftSession): string {
  const { turns, decision, deciders, ruling } = session;
  const decided = notByModel(deciders) ?? "decided by the models named below";
  const reviewers = session.reviewers.map(({ label, model }) => `- ${label}: ${model}`);
  const parts = [
    `# ${session.recipe}: ${session.outcome ?? "unfinished"}`,
    `Run ${session.runId}, ${ruling?.act === "approve" ? `approved by ${oneLine(ruling.by)}` : decided}.`,
    [`- writer: ${session.modelName}`, ...reviewers].join("\n"),
    "## Brief",
    quoted(session.userInput),
    ...turns.flatMap(renderTurn),
    "## Decision",
    decision === undefined
      ? "None."
      : `${decision.outcome} in turn ${decision.finalIteration ?? "?"}: ${decision.reason ?? "no reason"} (rule ${session.rule ?? 1}).`,
    ...(ruling === undefined ? [] : renderRuling(ruling)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderRuling({ act, by, at, reason, text }: DraftRuling): readonly string[] {
  return [
    "## Ruling",
    `${oneLine(by)}, ${at}: ${act}.`,
    ...[reason, text].flatMap((words) => (words === undefined ? [] : [quoted(words)])),
  ];
}

function renderTurn(turn: Turn): readonly string[] {
  const { turnNumber, text, review, signatures = [], vote, losers = [] } = turn;
  return [
    `## Turn ${turnNumber}: ${review.verdict}`,
    quoted(text),
    ...(review.summary === undefined ? [] : ["The reviewer:", quoted(review.summary)]),
    ...review.issues.map(
      ({ severity, reviewer, message }) => `- ${severity} (${reviewer}): ${oneLine(message)}`,
    ),
    ...(vote === undefined ? [] : [`Vote: ${describeVote(vote)}.`]),
    ...signatures.flatMap(({ reviewer, beside, ...signature }) => {
      const said = `${reviewer} ${describeSignature(signature)}`;
      return beside === undefined
        ? [`${said}.`]
        : [`${said}. The first approval came with:`, quoted(beside)];
    }),
    ...losers.flatMap((loser) => [
      `A draft that was not kept: ${loser.review.verdict}`,
      quoted(loser.text),
      ...(loser.review.summary === undefined
        ? []
        : ["The reviewer:", quoted(loser.review.summary)]),
    ]),
  ];
}

function quoted(text: string): string {
  return linesOf(text)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/gu, " ").trim();
}
