import { z } from "zod";
import type { IssueAnswer } from "../../domain/drafting/candidate.ts";
import type { LedgerEntry } from "../../domain/drafting/issue-ledger.ts";
import type { LedgerIteration, LoopAct, LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { digest } from "../../domain/values/digest.ts";
import { jsonText } from "../documents/json-text.ts";
import { parseJsonFile } from "./json-file.ts";
import { present, storedAssetId, storedTime } from "./stored-values.ts";

const verdict = z.enum(["ok", "changes_requested", "needs_human"]);

const storedAnswer = z.strictObject({
  answer: z.enum(["fixed", "rebutted", "deferred"]),
  issue_id: z.string(),
  reason: z.string().nullish(),
});

const storedLedgerIteration = z.strictObject({
  answers: z.array(storedAnswer),
  issues: z.array(
    z.strictObject({
      issue_id: z.string(),
      late: z.boolean(),
      quote: z.string().nullish(),
      reviewer: z.string(),
    }),
  ),
  iteration: z.int().min(1),
  loser_ids: z.array(z.string()),
  panel: z.array(
    z.strictObject({
      issue_ids: z.array(z.string()),
      reviewer: z.string(),
      score: z.number().nullish(),
      verdict,
    }),
  ),
  score: z.number().nullish(),
});

const storedEntry = z.strictObject({
  answer: storedAnswer.extend({ iteration: z.int().min(1) }).nullish(),
  closed_in: z.int().min(1).nullish(),
  overruled_in: z.int().min(1).nullish(),
  issue: z.strictObject({
    code: z.string().nullish(),
    field: z.string().nullish(),
    issue_id: z.string(),
    late: z.boolean(),
    message: z.string(),
    quote: z.string().nullish(),
    reviewer: z.string(),
    severity: z.enum(["error", "warning"]),
  }),
  raised_in: z.int().min(1),
  status: z.enum(["open", "closed"]),
});

const storedAct = z.strictObject({
  at: storedTime,
  by: z.string(),
  kind: z.enum(["pick", "unlock", "restart"]),
  reason: z.string().nullish(),
  text_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullish(),
});

/** `copy/protocol/<asset>/ledger.json`: ours alone, so it has its own version. */
export const storedLedger = z.strictObject({
  acts: z.array(storedAct),
  asset_id: storedAssetId,
  generation: z.int().min(1),
  issues: z.array(storedEntry),
  iterations: z.array(storedLedgerIteration),
  version: z.literal(1),
});

export function parseLedgerFile(text: string, file: string): LoopLedger {
  return parseJsonFile(text, file, {
    shape: storedLedger,
    toValue: (stored) => ({
      assetId: stored.asset_id,
      generation: stored.generation,
      iterations: stored.iterations.map(toLedgerIteration),
      issues: stored.issues.map(toEntry),
      acts: stored.acts.map(({ at, by, kind, reason, text_sha256: sha256 }) => ({
        at,
        by,
        kind,
        ...present("reason", reason),
        ...(sha256 === null || sha256 === undefined ? {} : { textSha256: digest(sha256) }),
      })),
    }),
  });
}

export function renderLedgerFile(ledger: LoopLedger): string {
  return jsonText({
    acts: ledger.acts.map(({ at, by, kind, reason, textSha256 }: LoopAct) => ({
      at,
      by,
      kind,
      reason: reason ?? null,
      text_sha256: textSha256 ?? null,
    })),
    asset_id: ledger.assetId,
    generation: ledger.generation,
    issues: ledger.issues.map(fromEntry),
    iterations: ledger.iterations.map(fromLedgerIteration),
    version: 1,
  });
}

function toLedgerIteration(stored: z.output<typeof storedLedgerIteration>): LedgerIteration {
  return {
    iteration: stored.iteration,
    answers: stored.answers.map(toAnswer),
    issues: stored.issues.map(({ issue_id, reviewer, late, quote }) => ({
      issueId: issue_id,
      reviewer,
      late,
      ...present("quote", quote),
    })),
    ...present("score", stored.score),
    panel: stored.panel.map((vote) => ({
      reviewer: vote.reviewer,
      verdict: vote.verdict,
      ...present("score", vote.score),
      issueIds: vote.issue_ids,
    })),
    loserIds: stored.loser_ids,
  };
}

function fromLedgerIteration(one: LedgerIteration): object {
  return {
    answers: one.answers.map(fromAnswer),
    issues: one.issues.map(({ issueId, reviewer, late, quote }) => ({
      issue_id: issueId,
      late,
      quote: quote ?? null,
      reviewer,
    })),
    iteration: one.iteration,
    loser_ids: one.loserIds,
    panel: one.panel.map((vote) => ({
      issue_ids: vote.issueIds,
      reviewer: vote.reviewer,
      score: vote.score ?? null,
      verdict: vote.verdict,
    })),
    score: one.score ?? null,
  };
}

function toEntry(stored: z.output<typeof storedEntry>): LedgerEntry {
  const { issue, answer } = stored;
  return {
    issue: {
      issueId: issue.issue_id,
      severity: issue.severity,
      message: issue.message,
      reviewer: issue.reviewer,
      late: issue.late,
      ...present("code", issue.code),
      ...present("field", issue.field),
      ...present("quote", issue.quote),
    },
    raisedIn: stored.raised_in,
    status: stored.status,
    ...present("closedIn", stored.closed_in),
    ...present("overruledIn", stored.overruled_in),
    ...(answer === null || answer === undefined
      ? {}
      : { answer: { ...toAnswer(answer), iteration: answer.iteration } }),
  };
}

function fromEntry(entry: LedgerEntry): object {
  const { issue, raisedIn, status, closedIn, answer, overruledIn } = entry;
  return {
    answer: answer === undefined ? null : { ...fromAnswer(answer), iteration: answer.iteration },
    closed_in: closedIn ?? null,
    overruled_in: overruledIn ?? null,
    issue: {
      code: issue.code ?? null,
      field: issue.field ?? null,
      issue_id: issue.issueId,
      late: issue.late,
      message: issue.message,
      quote: issue.quote ?? null,
      reviewer: issue.reviewer,
      severity: issue.severity,
    },
    raised_in: raisedIn,
    status,
  };
}

function toAnswer(stored: z.output<typeof storedAnswer>): IssueAnswer {
  return {
    issueId: stored.issue_id,
    answer: stored.answer,
    ...present("reason", stored.reason),
  };
}

function fromAnswer({ issueId, answer, reason }: IssueAnswer): object {
  return { answer, issue_id: issueId, reason: reason ?? null };
}
