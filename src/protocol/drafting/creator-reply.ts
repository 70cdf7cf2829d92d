import type { CreatorReply, IssueAnswer, TextFormat } from "../../domain/drafting/candidate.ts";
import { countCodePoints } from "../../domain/values/count-code-points.ts";
import { defined } from "../../domain/values/defined.ts";
import { isObject, type Json, type JsonObject } from "../../domain/values/json.ts";
import { unwrapEnvelope } from "../agents/unwrap-envelope.ts";
import { cleanText, isBlank } from "./clean-text.ts";
import { findJson } from "./json-reply.ts";
import { plainText, withoutMarks, writePlainText } from "./plain-text.ts";
import { stripReasoning } from "./reasoning.ts";
import { readTextOf, replyText, unknownKeys } from "./reply-fields.ts";
import type { ReplyAuthor } from "./reviewer-reply.ts";
import type { CreatorTask } from "./task.ts";

/** What a reply says, with unknown members in `raw`; or why it must be asked for again. */
export type ReadCreatorReply =
  | { readonly kind: "read"; readonly reply: CreatorReply; readonly raw?: JsonObject }
  | { readonly kind: "unreadable"; readonly error: string };

type ReadTask = Pick<CreatorTask, "reply" | "maxCharacters" | "removesMarks"> &
  Partial<Pick<CreatorTask, "assetId" | "repair">>;

/**
 * The text, the `done` flag and the answers to open issues. A plain creator counts as always done. A structured
 * one that sends prose without any JSON is taken at its word: the prose is the text and it is not done, so the
 * loop cannot end on it without another turn. JSON that is cut or without a text is unreadable, and so is a text for
 * another asset or in an unknown format. Ids, times and labels a model makes up are not read, and unknown keys are
 * returned in `raw`. What is only unclear is asked for once: after that a text that is too long is the loop's to object
 * to, and a `done` that is neither true nor false counts as false.
 */
export function readCreatorReply(
  text: string,
  task: ReadTask,
  author: ReplyAuthor = "model",
): ReadCreatorReply {
  const said = cleanText(unwrapEnvelope(text));
  if (task.reply === "plain") {
    const spoken = plainText(stripReasoning(said));
    const content = task.removesMarks === true ? withoutMarks(spoken) : spoken;
    return checked({ content, done: true, answers: [] }, task);
  }
  const json = findJson(said);
  if (json.kind === "broken") return { kind: "unreadable", error: json.error };
  if (json.kind === "none") {
    return checked({ content: plainText(stripReasoning(said)), done: false, answers: [] }, task);
  }
  for (const object of json.objects) {
    const found = readObject(unwrapCreator(object), task, author);
    if (found?.kind === "unreadable") return found;
    if (found !== undefined) return checked(found.reply, task, found.raw);
  }
  return { kind: "unreadable", error: 'the JSON object has no text under "content"' };
}

/** The reply as a creator of this form would send it; what `readCreatorReply` reads back. */
export function writeCreatorReply(reply: CreatorReply, form: CreatorTask["reply"]): string {
  if (form === "plain") return writePlainText(reply.content);
  return JSON.stringify({
    content: reply.content,
    done: reply.done,
    answers: reply.answers.map(({ issueId, answer, reason }) => ({
      issue_id: issueId,
      answer,
      ...defined({ reason }),
    })),
  });
}

function checked(reply: CreatorReply, task: ReadTask, raw?: JsonObject): ReadCreatorReply {
  if (isBlank(reply.content)) return { kind: "unreadable", error: "the reply holds no text" };
  const length = countCodePoints(reply.content);
  if (length > task.maxCharacters && task.repair === undefined) {
    return {
      kind: "unreadable",
      error: `the text has ${length} characters; at most ${task.maxCharacters} are allowed`,
    };
  }
  return { kind: "read", reply, ...defined({ raw }) };
}

function unwrapCreator(object: JsonObject): JsonObject {
  const inner = object.creator;
  return isObject(inner) ? inner : object;
}

const known = [
  ...["content", "candidate", "text", "done", "answers"],
  ...["candidate_id", "asset_id", "created_at", "iteration", "format", "provenance"],
];

function readObject(
  object: JsonObject,
  task: ReadTask,
  author: ReplyAuthor,
): ReadCreatorReply | undefined {
  const nested = isObject(object.candidate) ? object.candidate : undefined;
  const content =
    (nested && readTextOf(nested, ["content", "text"])) ??
    readTextOf(object, ["content", "candidate", "text"]);
  if (content === undefined) return undefined;
  const about = { ...object, ...nested };
  const { asset_id: assetId, format } = about;
  if (typeof assetId === "string" && assetId !== (task.assetId ?? assetId)) {
    const error = `the text is for asset "${assetId}", not "${task.assetId}"`;
    return { kind: "unreadable", error };
  }
  if (typeof format === "string" && !isFormat(format)) {
    return { kind: "unreadable", error: `the format "${format}" is not markdown, plain or html` };
  }
  const done = readDone(object.done, author);
  if (done === undefined && task.repair === undefined) {
    return { kind: "unreadable", error: '"done" must be true or false' };
  }
  const raw = unknownKeys(object, known);
  const reply = {
    content,
    done: done ?? false,
    answers: readAnswers(object.answers),
    ...(isFormat(format) ? { format } : {}),
  };
  return { kind: "read", reply, ...defined({ raw }) };
}

function isFormat(value: Json | undefined): value is TextFormat {
  return value === "markdown" || value === "plain" || value === "html";
}

/** A script may write anything that is true or false in its language; a model must say which. */
function readDone(value: Json | undefined, author: ReplyAuthor): boolean | undefined {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  return author === "script" ? Boolean(value) : undefined;
}

function readAnswers(value: Json | undefined): readonly IssueAnswer[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  const read: IssueAnswer[] = [];
  for (const entry of list.filter(isObject)) {
    const issueId = readTextOf(entry, ["issue_id", "id"]);
    const answer = readAnswer(entry.answer ?? entry.status);
    const reason = replyText(entry.reason);
    if (issueId !== undefined && answer !== undefined) {
      read.push({ issueId, answer, ...defined({ reason }) });
    }
  }
  return read;
}

const answers: ReadonlyMap<string, IssueAnswer["answer"]> = new Map([
  ...(["fixed", "resolved", "addressed", "done"] as const).map((word) => [word, "fixed"] as const),
  ...(["rebutted", "rejected", "disagreed", "wontfix"] as const).map(
    (word) => [word, "rebutted"] as const,
  ),
  ...(["deferred", "postponed", "later"] as const).map((word) => [word, "deferred"] as const),
]);

function readAnswer(value: Json | undefined): IssueAnswer["answer"] | undefined {
  return answers.get((replyText(value) ?? "").trim().toLowerCase());
}
