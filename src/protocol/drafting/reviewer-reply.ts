import type { RaisedIssue, ReviewerReply } from "../../domain/drafting/review.ts";
import { defined } from "../../domain/values/defined.ts";
import { isObject, type Json, type JsonObject } from "../../domain/values/json.ts";
import { unwrapEnvelope } from "../agents/unwrap-envelope.ts";
import { phrasePattern, readApproval } from "./approval.ts";
import { cleanText, isBlank } from "./clean-text.ts";
import { findJson, isOneObject } from "./json-reply.ts";
import { splitReasoning } from "./reasoning.ts";
import { readTextOf, unknownKeys } from "./reply-fields.ts";
import { readIds, readIssues, readScore, readVerdict } from "./review-members.ts";
import type { ReviewerTask } from "./task.ts";

/** What a reply says, an approval that is not signed yet, or why the reply must be asked for again. */
export type ReadReviewerReply =
  | { readonly kind: "read"; readonly reply: ReviewerReply; readonly raw?: JsonObject }
  | UnclearApproval
  | { readonly kind: "unreadable"; readonly error: string };

/** An approval that came with something else. Only a bare one signs, so the reviewer has to be asked. */
export interface UnclearApproval {
  readonly kind: "unclear";
  /** What came with the approval. */
  readonly beside: string;
  /** What the reply counts as while it is not signed: not approved, and its words are the feedback. */
  readonly reply: ReviewerReply;
}

/**
 * Who wrote a reply. Command-line agents wrap theirs; a script or a stand-in is not asked to sign, so its `ok` with
 * a summary counts as bare.
 */
export type ReplyAuthor = "model" | "command" | "script";

/** A script may want to be asked to sign, as a model is; its reply then says so. */
export function replyAuthor(
  model: string,
  { takesQuestions }: { readonly takesQuestions?: true } = {},
): ReplyAuthor {
  if (takesQuestions === true) return "model";
  if (model.startsWith("script:") || model.startsWith("offline/")) return "script";
  return model.startsWith("command/") ? "command" : "model";
}

type ReadTask = Pick<ReviewerTask, "approval" | "phrase" | "brief" | "text"> &
  Partial<Pick<ReviewerTask, "instructions" | "markers">>;

/**
 * The verdict and what supports it. Only a bare approval becomes `ok`; one that comes with anything else is
 * `unclear`. A reply that is empty, cut or damaged is `unreadable`. Everything else asks for changes or a person.
 */
export function readReviewerReply(
  text: string,
  task: ReadTask,
  author: ReplyAuthor = "model",
): ReadReviewerReply {
  const said = cleanText(author === "command" ? unwrapEnvelope(text, "all") : text);
  const { spoken } = splitReasoning(withoutMarkerLine(said, task.markers));
  if (isBlank(spoken)) return { kind: "unreadable", error: "the reply is empty" };
  if (task.approval === "phrase") return readPhrase(said, spoken, task);
  const json = findJson(spoken);
  switch (json.kind) {
    case "broken":
      return { kind: "unreadable", error: json.error };
    case "none":
      return author === "script" ? readPhrase(said, spoken, task) : readProse(spoken, task.phrase);
    case "found":
      return readObjects(json.objects, { spoken, task, author });
  }
}

/**
 * What the reply to the signature question makes of an unclear approval. Only a bare approval signs, and what came
 * with the first one is kept beside it; otherwise both replies are the feedback.
 */
export function settleSignature(first: UnclearApproval, second: ReadReviewerReply): ReviewerReply {
  const { beside } = first;
  const refused = { how: "refused", beside } as const;
  if (second.kind === "unreadable") return { ...first.reply, signature: refused };
  const { reply } = second;
  if (second.kind === "read" && reply.verdict === "ok") {
    return { ...reply, summary: reply.summary ?? beside, signature: { how: "asked", beside } };
  }
  const both = [first.reply, reply];
  return {
    verdict: reply.verdict,
    issues: both.flatMap(({ issues }) => issues),
    kept: both.flatMap(({ kept }) => kept),
    closed: both.flatMap(({ closed }) => closed),
    summary: both.flatMap(({ summary }) => summary ?? []).join("\n\n"),
    signature: refused,
  };
}

/** The reply as a reviewer of this form would send it; what `readReviewerReply` reads back. */
export function writeReviewerReply(
  reply: ReviewerReply,
  form: ReviewerTask["approval"],
  phrase: string,
): string {
  return form === "phrase" ? writePhrase(reply, phrase) : writeJson(reply);
}

/** Without the last line, where it holds nothing but the markers that a long prompt asks for. */
function withoutMarkerLine(said: string, markers: ReviewerTask["markers"]): string {
  if (markers === undefined) return said;
  const trimmed = said.trimEnd();
  const start = trimmed.lastIndexOf("\n") + 1;
  const last = markers.reduce((line, marker) => line.replace(marker, ""), trimmed.slice(start));
  const isOnlyMarkers =
    last !== trimmed.slice(start) &&
    /^(?:first|second|markers?|[\s*_"'`:;,.&=<>[\]-])*$/iu.test(last);
  return isOnlyMarkers ? trimmed.slice(0, start) : said;
}

function readPhrase(said: string, spoken: string, task: ReadTask): ReadReviewerReply {
  const approval = readApproval(withoutMarkerLine(said, task.markers), {
    brief: task.brief,
    candidate: task.text,
    phrase: task.phrase,
    ...defined({ criteria: task.instructions }),
  });
  switch (approval) {
    case "approved": {
      const summary = remarkOf(spoken, task.phrase);
      return { kind: "read", reply: { ...approve, ...(summary === "" ? {} : { summary }) } };
    }
    case "unclear":
      return unclear(spoken);
    case "not_approved":
      return { kind: "read", reply: feedback(spoken) };
  }
}

const saysOk = /\b(?:ok|okay|approved?|approves|accept(?:ed|s)?|lgtm|ship it)\b/iu;

/** Prose where an object was asked for approves nothing; if it sounds like an approval, the reviewer is asked. */
function readProse(spoken: string, phrase: string): ReadReviewerReply {
  const isPhrase = readApproval(spoken, { phrase }) !== "not_approved";
  return isPhrase || saysOk.test(spoken)
    ? unclear(spoken)
    : { kind: "read", reply: feedback(spoken) };
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

function unclear(beside: string, said: ReviewerReply = approve): UnclearApproval {
  const refused = feedback(beside);
  const issues: readonly RaisedIssue[] = [...said.issues, ...refused.issues];
  return {
    kind: "unclear",
    beside,
    reply: { ...refused, issues, kept: said.kept, closed: said.closed },
  };
}

/** What is said besides the phrase: the rest after or before it, or all of it when the phrase is in the middle. */
function remarkOf(spoken: string, phrase: string): string {
  const signal = phrasePattern(phrase);
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

interface StructuredReply {
  readonly spoken: string;
  readonly task: ReadTask;
  readonly author: ReplyAuthor;
}

function readObjects(objects: readonly JsonObject[], about: StructuredReply): ReadReviewerReply {
  const members = objects.map(unwrapReview);
  const read = members.map(readObject);
  const found = read.flatMap((one) => (one.kind === "read" ? [one] : []));
  const [first] = found;
  if (first === undefined) return read[0] ?? noVerdict;
  const isApproved = found.some(({ reply }) => reply.verdict === "ok");
  if (!isApproved) return found.reduce((most, one) => (objectsMore(one, most) ? one : most));
  const isAlone = objects.length === 1 && isOneObject(withoutFence(about.spoken));
  const rest = isAlone ? besideOk(members[0] ?? {}, about.task) : about.spoken;
  if (rest === "" || (isAlone && about.author === "script")) return first;
  return unclear(rest, {
    ...approve,
    issues: found.flatMap(({ reply }) => reply.issues),
    kept: found.flatMap(({ reply }) => reply.kept),
    closed: found.flatMap(({ reply }) => reply.closed),
  });
}

type FoundReview = Extract<ReadReviewerReply, { kind: "read" }>;

const noVerdict: ReadReviewerReply = {
  kind: "unreadable",
  error: "the JSON object has no verdict",
};

function objectsMore(one: FoundReview, other: FoundReview): boolean {
  return one.reply.issues.length > other.reply.issues.length;
}

/** Everything in an approving object that has content: members that are null, "" or [] have none. */
function besideOk(object: JsonObject, { markers }: ReadTask): string {
  const isExpected = (name: string, value: Json) =>
    (name === "verdict" && typeof value === "string") ||
    (name === "approved" && typeof value === "boolean") ||
    (name === "closed" && isListOfIds(value)) ||
    (Object.hasOwn(labels, name) && labels[name]?.test(String(value)) === true) ||
    (name === "markers" && markers !== undefined && isSame(value, markers));
  const rest = Object.entries(object).filter(
    ([name, value]) => !isExpected(name, value) && !isEmpty(value),
  );
  return rest
    .map(([name, value]) =>
      typeof value === "string" && name === "summary" ? value : `${name}: ${JSON.stringify(value)}`,
    )
    .join("\n");
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Numbers, times and ids that models make up: ignored and replaced, so they say nothing. A word could say something. */
const labels: { readonly [name: string]: RegExp } = {
  iteration: /^\d{1,9}$/u,
  created_at: /^\d{4}-\d\d-\d\d(?:[T ][\d:.]{1,20}(?:Z|[+-][\d:]{2,6})?)?$/u,
  review_id: /^(?:\d{1,9}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/iu,
};

const id = /^[\w./:+-]{1,80}$/u;

function isListOfIds(value: Json): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && id.test(one));
}

function isSame(value: Json, markers: readonly string[]): boolean {
  return JSON.stringify(value) === JSON.stringify(markers);
}

export function withoutFence(text: string): string {
  const fenced = /^(`{3,})[ \t]*(?:json)?[ \t]*\r?\n([^`]*)\n[ \t]*\1$/iu.exec(text);
  return (fenced?.[2] ?? text).trim();
}

/** A review may be in a member of its own; what is beside that member counts as well. */
function unwrapReview(object: JsonObject): JsonObject {
  const { review: inner, ...outer } = object;
  if (!isObject(inner)) return object;
  const issues = [outer.issues, inner.issues].flatMap((list) => list ?? []);
  const beside = Object.entries(outer).map(([name, value]) =>
    Object.hasOwn(inner, name) && name !== "issues"
      ? [freeName(name, outer, inner), value]
      : [name, value],
  );
  const members: JsonObject = Object.fromEntries(beside);
  return { ...members, ...inner, ...(issues.length === 0 ? {} : { issues }) };
}

function freeName(name: string, ...taken: readonly JsonObject[]): string {
  const free = `outer_${name}`;
  return taken.some((object) => Object.hasOwn(object, free)) ? freeName(free, ...taken) : free;
}

const known = [
  ...["verdict", "approved", "issues", "kept", "closed", "summary", "feedback", "score"],
  ...["iteration", "reviewer", "created_at", "review_id", "provenance", "markers"],
];

function readObject(object: JsonObject): ReadReviewerReply {
  const verdict = readVerdict(object);
  const issues = readIssues(object.issues);
  const kept = readIds(object.kept);
  const closed = readIds(object.closed);
  if (typeof verdict !== "string") {
    return { kind: "unreadable", error: verdict.error };
  }
  if (issues === undefined || kept === undefined || closed === undefined) {
    const name = issues === undefined ? "issues" : kept === undefined ? "kept" : "closed";
    return { kind: "unreadable", error: `"${name}" is not a list` };
  }
  const summary = readTextOf(object, ["summary", "feedback"]);
  const score = readScore(object.score);
  const raw = unknownKeys(object, known);
  const reply = { verdict, issues, kept, closed, ...defined({ summary, score }) };
  return { kind: "read", reply, ...defined({ raw }) };
}
