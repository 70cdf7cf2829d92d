import type {
  RaisedIssue,
  ReviewerReply,
  Severity,
  Verdict,
} from "../../domain/drafting/review.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { readApproval } from "./approval.ts";
import { cleanText, isBlank } from "./clean-text.ts";
import { unwrapEnvelope } from "./cli-envelope.ts";
import { findJson, isObject, type JsonObject, placesOfJson } from "./json-reply.ts";
import { stripReasoning } from "./reasoning.ts";
import { readText, readTextOf, unknownKeys } from "./reply-fields.ts";
import type { ReviewerTask } from "./task.ts";

/** What a reply says, with the members nobody knows in `raw`; or why it must be asked for again. */
export type ReadReviewerReply =
  | { readonly kind: "read"; readonly reply: ReviewerReply; readonly raw?: JsonObject }
  | { readonly kind: "unclear"; readonly error: string };

type ReadTask = Pick<ReviewerTask, "approval" | "phrase" | "brief" | "text">;

/**
 * The verdict and what supports it. Only an unmistakable approval becomes `ok`; issues are never dropped, so an
 * `ok` beside an error is left for the loop's guard to turn down. In structured mode prose without any JSON is
 * read by the phrase, while JSON that is cut, invalid, without a verdict or with two different ones is unclear.
 */
export function readReviewerReply(text: string, task: ReadTask): ReadReviewerReply {
  const said = cleanText(unwrapEnvelope(text));
  if (task.approval === "phrase") {
    return readPhrase(said, task);
  }
  const json = findJson(said);
  switch (json.kind) {
    case "none":
      return readPhrase(said, task);
    case "broken":
      return { kind: "unclear", error: json.error };
    case "found": {
      const read = readObjects(json.objects);
      const approves = read.kind === "read" && read.reply.verdict === "ok";
      return approves && isDoubtful(said, task) ? doubtful : read;
    }
  }
}

/** The reply as a reviewer of this form would send it; what `readReviewerReply` reads back. */
export function writeReviewerReply(
  reply: ReviewerReply,
  form: ReviewerTask["approval"],
  phrase: string,
): string {
  return form === "phrase" ? writePhrase(reply, phrase) : writeJson(reply);
}

function readPhrase(said: string, task: ReadTask): ReadReviewerReply {
  const spoken = stripReasoning(said);
  const approval = readApproval(said, {
    brief: task.brief,
    candidate: task.text,
    phrase: task.phrase,
  });
  switch (approval) {
    case "unclear":
      return {
        kind: "unclear",
        error: isBlank(spoken) ? "the reply is empty" : "the approval phrase is in a doubtful form",
      };
    case "approved": {
      const summary = remarkOf(spoken, task.phrase);
      return { kind: "read", reply: { ...approve, ...(summary === "" ? {} : { summary }) } };
    }
    case "not_approved":
      return { kind: "read", reply: feedback(spoken) };
  }
}

const approve: ReviewerReply = { verdict: "ok", issues: [], kept: [], closed: [] };

function feedback(text: string): ReviewerReply {
  return {
    verdict: "changes_requested",
    issues: [{ severity: "error", message: text, code: "feedback" }],
    kept: [],
    closed: [],
    summary: text,
  };
}

/** What is said besides the phrase: the rest after or before it, or all of it when it stands in the middle. */
function remarkOf(spoken: string, phrase: string): string {
  const signal = phrase
    .replace(/!+$/u, "")
    .trim()
    .split(/\s+/u)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&"))
    .join("\\s+");
  const before = "[\\s*_`\"'“”«»>#]{0,40}";
  const after = "[\\s*_`\"'“”«»!.]{0,40}";
  const pattern = new RegExp(`^${before}${signal}${after}|${before}${signal}${after}$`, "iu");
  const rest = spoken.replace(pattern, "").trim();
  const isOrnament = !/[\p{L}\p{N}]/u.test(rest);
  return isOrnament ? "" : rest;
}

function writePhrase(reply: ReviewerReply, phrase: string): string {
  if (reply.verdict !== "ok") {
    const messages = reply.issues.map((issue) => issue.message).join("\n");
    return messages === "" ? (reply.summary ?? "Not yet.") : messages;
  }
  const signal = phrase.endsWith("!") ? phrase : `${phrase}!`;
  const withRemark = reply.summary === undefined ? signal : `${signal}\n\n${reply.summary}`;
  return readApproval(withRemark, { phrase }) === "approved" ? withRemark : signal;
}

function writeJson(reply: ReviewerReply): string {
  const { verdict, issues, kept, closed, summary, score } = reply;
  return JSON.stringify({ verdict, issues, kept, closed, summary, score });
}

function readObjects(objects: readonly JsonObject[]): ReadReviewerReply {
  const read = objects.map((object) => readObject(unwrapReview(object)));
  const verdicts = new Set(read.flatMap((one) => (one.kind === "read" ? [one.reply.verdict] : [])));
  if (verdicts.size > 1) {
    return { kind: "unclear", error: "the reply holds two different verdicts" };
  }
  const found = read.reduce<ReadReviewerReply | undefined>(
    (most, one) => (most === undefined || objectionsIn(one) > objectionsIn(most) ? one : most),
    undefined,
  );
  return found ?? { kind: "unclear", error: "the JSON object has no verdict" };
}

/** Of two objects that say the same, the one that objects more counts; what cannot be read counts least. */
function objectionsIn(read: ReadReviewerReply): number {
  return read.kind === "read" ? read.reply.issues.length : -1;
}

const doubtful: ReadReviewerReply = {
  kind: "unclear",
  error: "the approval may be quoted or damaged; reply with your own JSON object and nothing else",
};

/** Words on an object's line that speak about it instead of giving it. */
const speaksOf =
  /^\s*>|\b(?:not|never|cannot|would|could|should|if|example|instance|e\.g|says?|said|contains?|containing|reads?|asks?|tells?|told|claims?|instead|wrote|quot\p{L}*|inject\p{L}*)\b|n['’]t\b/iu;
const isSpokenOf = /^["'`”’\s]*(?:is|are|was|would|appears?|stands?|in|inside|from)\b/iu;

/** Stands where bytes were no text, unless the text under review has it too. */
const unreadable = "\ufffd";

/** An `ok` that the brief or the text holds too, that is only mentioned, or that came damaged is no approval. */
function isDoubtful(said: string, { brief, text }: ReadTask): boolean {
  if (said.includes(unreadable) && !text.includes(unreadable)) return true;
  const places = placesOfJson(said);
  const isAlone = places.length === 1 && squeezed(withoutFence(said)) === squeezed(places[0]?.text);
  // Once, not for each place: a hostile reply has thousands of them.
  const sources = [brief, text].map((source) => squeezed(isAlone ? withoutFence(source) : source));
  return places.some((place) => {
    if (speaksOf.test(place.before) || isSpokenOf.test(place.behind)) return true;
    const object = squeezed(place.text);
    return sources.some((source) => (isAlone ? source === object : source.includes(object)));
  });
}

function squeezed(text = ""): string {
  return text.replace(/\s+/gu, "");
}

function withoutFence(text: string): string {
  const spoken = stripReasoning(text);
  const opening = /^(?:`{3,}|~{3,})\w{0,20}\s/u.exec(spoken)?.[0] ?? "";
  return spoken.slice(opening.length, startOfClosingFence(spoken));
}

/** Counted from the end: a pattern would try every mark of a long run. */
function startOfClosingFence(text: string): number {
  const mark = text.endsWith("`") ? "`" : "~";
  let start = text.length;
  while (text[start - 1] === mark) start -= 1;
  return text.length - start < 3 ? text.length : start;
}

function unwrapReview(object: JsonObject): JsonObject {
  const inner = object.review;
  return isObject(inner) ? inner : object;
}

const known = [
  ...["verdict", "approved", "issues", "kept", "closed", "summary", "feedback", "score"],
  ...["iteration", "reviewer", "created_at", "review_id", "provenance"],
];

function readObject(object: JsonObject): ReadReviewerReply {
  const verdict = readVerdict(object);
  const issues = readIssues(object.issues);
  const kept = readIds(object.kept);
  const closed = readIds(object.closed);
  if (typeof verdict !== "string") {
    return { kind: "unclear", error: verdict.error };
  }
  if (issues === undefined || kept === undefined || closed === undefined) {
    const name = issues === undefined ? "issues" : kept === undefined ? "kept" : "closed";
    return { kind: "unclear", error: `"${name}" is not a list` };
  }
  const summary = readTextOf(object, ["summary", "feedback"]);
  const score = readScore(object.score);
  const raw = unknownKeys(object, known);
  const reply = {
    verdict,
    issues,
    kept,
    closed,
    ...defined({ summary, score }),
  };
  return { kind: "read", reply, ...defined({ raw }) };
}

const verdictWords: Readonly<Record<Verdict, readonly string[]>> = {
  ok: [
    "ok",
    "okay",
    "approve",
    "approved",
    "accept",
    "accepted",
    "pass",
    "passed",
    "lgtm",
    "ship_it",
  ],
  changes_requested: [
    ...["changes_requested", "request_changes", "changes", "changes_required", "needs_changes"],
    ...["change_requested", "needs_work", "revise", "reject", "rejected", "fail", "failed"],
    ...["not_ok", "not_approved", "not_ready"],
  ],
  needs_human: ["needs_human", "human", "needs_human_review", "escalate", "escalated", "unsure"],
};

const verdictOf: ReadonlyMap<string, Verdict> = new Map(
  (Object.keys(verdictWords) as Verdict[]).flatMap((verdict) =>
    verdictWords[verdict].map((word) => [word, verdict] as const),
  ),
);

function readVerdict(object: JsonObject): Verdict | { readonly error: string } {
  const said = readText(object.verdict);
  const word = said
    ?.trim()
    .toLowerCase()
    .replace(/[!.]{1,9}$/u, "")
    .replace(/[\s_-]+/gu, "_");
  const verdict = word === undefined ? undefined : verdictOf.get(word);
  const { approved } = object;
  if (said !== undefined && verdict === undefined) {
    return {
      error: `the verdict ${JSON.stringify(said.slice(0, 80))} is none of ok, changes_requested, needs_human`,
    };
  }
  if (typeof approved !== "boolean") {
    return verdict ?? { error: "the JSON object has no verdict" };
  }
  const isContradiction = verdict !== undefined && (verdict === "ok") !== approved;
  if (isContradiction) {
    return { error: '"verdict" and "approved" contradict each other' };
  }
  return verdict ?? (approved ? "ok" : "changes_requested");
}

function readIssues(value: Json | undefined): readonly RaisedIssue[] | undefined {
  if (value === undefined || value === null) {
    return [];
  }
  const list: readonly Json[] | undefined = Array.isArray(value) ? value : undefined;
  return list?.filter((entry) => entry !== null && entry !== "").map(readIssue);
}

const mild = new Set(["warning", "warn", "minor", "low", "info", "note", "nit", "suggestion"]);

/** What cannot be understood is still an objection: it counts as an error and keeps its raw text. */
function readIssue(entry: Json): RaisedIssue {
  if (!isObject(entry)) {
    return { severity: "error", message: readText(entry) ?? JSON.stringify(entry) };
  }
  const severity: Severity = mild.has((readText(entry.severity) ?? "").trim().toLowerCase())
    ? "warning"
    : "error";
  const message = readTextOf(entry, ["message", "text", "description", "comment", "issue"]);
  const issue: { -readonly [name in keyof RaisedIssue]: RaisedIssue[name] } = {
    severity,
    message: message ?? cleanText(JSON.stringify(entry)),
  };
  for (const name of ["code", "field", "quote"] as const) {
    const text = readText(entry[name]);
    if (text !== undefined) issue[name] = text;
  }
  return issue;
}

function readIds(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) {
    return [];
  }
  const list: readonly Json[] | undefined = Array.isArray(value) ? value : undefined;
  return list?.flatMap((entry) => {
    const id = isObject(entry) ? readTextOf(entry, ["issue_id", "id"]) : readText(entry);
    return id === undefined ? [] : [id];
  });
}

function readScore(value: Json | undefined): number | undefined {
  const isNumeral = typeof value === "string" && /^-?\d{1,9}(?:\.\d{1,9})?$/u.test(value.trim());
  const score = isNumeral ? Number(value) : value;
  return typeof score === "number" && Number.isFinite(score) ? score : undefined;
}
