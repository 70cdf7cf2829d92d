import { z } from "zod";
import { panelRules } from "../../domain/drafting/panel.ts";
import { verdicts } from "../../domain/drafting/review.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { digest } from "../../domain/values/digest.ts";
import { jsonText } from "../documents/json-text.ts";
import { strictObjects } from "../documents/shapes.ts";
import { snakeCaseKeys } from "../documents/stored-keys.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedAssetId, storedTime } from "./stored-values.ts";

const verdict = z.enum(verdicts);

const storedAnswer = z.strictObject({
  answer: z.enum(["fixed", "rebutted", "deferred"]),
  issue_id: z.string(),
  reason: z.string().nullish(),
});

const storedLedgerIteration = z.strictObject({
  answers: z.array(storedAnswer),
  issues: strictObjects({
    issue_id: z.string(),
    late: z.boolean(),
    quote: z.string().nullish(),
    reviewer: z.string(),
  }),
  iteration: z.int().min(1),
  loser_ids: z.array(z.string()),
  panel: strictObjects({
    issue_ids: z.array(z.string()),
    reviewer: z.string(),
    score: z.number().nullish(),
    verdict,
  }),
  score: z.number().nullish(),
  vote: z
    .strictObject({
      absent: z.array(z.string()),
      approved: z.array(z.string()),
      called_person: z.array(z.string()),
      objected: z.array(z.string()),
      rule: z.enum(panelRules),
      verdict,
    })
    .nullish(),
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
  kind: z.enum(["pick", "adopt", "unlock", "restart"]),
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
  return parseJsonFile({ file, text }, storedLedger, ({ version: _, ...stored }) => ({
    ...stored,
    acts: stored.acts.map(({ textSha256, ...act }) => ({
      ...act,
      ...(textSha256 === undefined ? {} : { textSha256: digest(textSha256) }),
    })),
  }));
}

export function renderLedgerFile(ledger: LoopLedger): string {
  return jsonText(snakeCaseKeys(storedLedger, { ...ledger, version: 1 }));
}
