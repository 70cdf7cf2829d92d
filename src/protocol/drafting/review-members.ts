import {
  proseCodes,
  type RaisedIssue,
  type Severity,
  type Verdict,
} from "../../domain/drafting/review.ts";
import { isObject, type Json, type JsonObject } from "../../domain/values/json.ts";
import { cleanText } from "./clean-text.ts";
import { readTextOf, replyText } from "./reply-fields.ts";

const verdictWords: Readonly<Record<Verdict, readonly string[]>> = {
  ok: "ok okay approve approved accept accepted pass passed lgtm ship_it".split(" "),
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

/** The verdict in any of its usual words, or as an `approved` flag. */
export function readVerdict(object: JsonObject): Verdict | { readonly error: string } {
  const said = replyText(object.verdict);
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
  if (typeof approved !== "boolean") return verdict ?? { error: "the JSON object has no verdict" };
  const isContradiction = verdict !== undefined && (verdict === "ok") !== approved;
  if (isContradiction) return { error: '"verdict" and "approved" contradict each other' };
  return verdict ?? (approved ? "ok" : "changes_requested");
}

/** Absent when it is not a list. */
export function readIssues(value: Json | undefined): readonly RaisedIssue[] | undefined {
  if (value === undefined || value === null) return [];
  const list: readonly Json[] | undefined = Array.isArray(value) ? value : undefined;
  return list?.filter((entry) => entry !== null && entry !== "").map(readIssue);
}

const mild = new Set(["warning", "warn", "minor", "low", "info", "note", "nit", "suggestion"]);

/** What cannot be understood is still an objection: it counts as an error and keeps its raw text. */
function readIssue(entry: Json): RaisedIssue {
  if (!isObject(entry)) {
    return { severity: "error", message: replyText(entry) ?? JSON.stringify(entry) };
  }
  const severity: Severity = mild.has((replyText(entry.severity) ?? "").trim().toLowerCase())
    ? "warning"
    : "error";
  const message = readTextOf(entry, ["message", "text", "description", "comment", "issue"]);
  const issue: { -readonly [name in keyof RaisedIssue]: RaisedIssue[name] } = {
    severity,
    message: message ?? cleanText(JSON.stringify(entry)),
  };
  for (const name of ["code", "field", "quote"] as const) {
    const text = replyText(entry[name]);
    const isOurs = name === "code" && proseCodes.includes(text ?? "");
    if (text !== undefined && !isOurs) issue[name] = text;
  }
  return issue;
}

/** Absent when it is not a list. */
export function readIds(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  const list: readonly Json[] | undefined = Array.isArray(value) ? value : undefined;
  return list?.flatMap((entry) => {
    const id = isObject(entry) ? readTextOf(entry, ["issue_id", "id"]) : replyText(entry);
    return id === undefined ? [] : [id];
  });
}

export function readScore(value: Json | undefined): number | undefined {
  const isNumeral = typeof value === "string" && /^-?\d{1,9}(?:\.\d{1,9})?$/u.test(value.trim());
  const score = isNumeral ? Number(value) : value;
  return typeof score === "number" && Number.isFinite(score) ? score : undefined;
}
