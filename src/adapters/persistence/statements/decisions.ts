import { runId } from "../../../domain/values/ids.ts";
import { instant } from "../../../domain/values/instant.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Answer, Question } from "../../../ports/question.ts";
import type { Decision } from "../../../ports/run-store.ts";
import { storedJson } from "./texts.ts";
import { change, get, type Unit } from "./unit.ts";

export interface DecisionRow {
  readonly id: string;
  readonly run: string;
  readonly key: string;
  readonly question: string;
  readonly answer: string | null;
  readonly version: number;
  readonly asked_at: string;
}

export const decisionColumns = "d.id, d.run, d.key, d.question, d.answer, d.version, d.asked_at";

export function* keepDecision(decision: Omit<Decision, "version" | "answer">): Unit<Decision> {
  yield* change(
    `INSERT INTO decisions (id, run, key, question, version, asked_at) VALUES (?, ?, ?, ?, 1, ?)
     ON CONFLICT DO NOTHING`,
    decision.id,
    decision.run,
    decision.key,
    JSON.stringify(decision.question),
    decision.askedAt,
  );
  return (yield* loadDecision(decision.id)) ?? { ...decision, version: 1 };
}

export function* loadDecision(id: string): Unit<Decision | undefined> {
  const row = yield* get<DecisionRow>(
    `SELECT ${decisionColumns} FROM decisions d WHERE d.id = ?`,
    id,
  );
  return row && decisionFromRow(row);
}

/** The first answer for the version wins; later ones get `already-decided`. */
export function* keepAnswer(
  id: string,
  { answer, ifVersion }: { readonly answer: Answer; readonly ifVersion: number },
): Unit<"recorded" | "already-decided"> {
  const changed = yield* change(
    `UPDATE decisions SET answer = ?, version = version + 1
     WHERE id = ? AND version = ? AND answer IS NULL`,
    JSON.stringify(answer),
    id,
    ifVersion,
  );
  if (changed === 1) return "recorded";
  if ((yield* loadDecision(id)) === undefined) {
    throw new WorkflowError(`there is no question ${id}`, {
      code: "decision-unknown",
      facts: { decision: id },
      hint: "`signoff inbox` shows what is open.",
    });
  }
  return "already-decided";
}

export function decisionFromRow(row: DecisionRow): Decision {
  return {
    id: row.id,
    run: runId(row.run),
    key: row.key,
    question: storedJson(row.question) as unknown as Question,
    ...(row.answer === null ? {} : { answer: storedJson(row.answer) as unknown as Answer }),
    version: row.version,
    askedAt: instant(row.asked_at),
  };
}
