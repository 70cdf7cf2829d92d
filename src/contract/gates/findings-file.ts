import { z } from "zod";
import type { FindingSeverity } from "../../domain/gates/findings.ts";
import { parseJson } from "../../domain/values/json.ts";
import { compareBytes } from "./tab-lines.ts";

/**
 * One line of `signoff.findings.jsonl`: what a review said about a finding that the lock only names by its anchor, for
 * checkouts without a store. It decides nothing.
 */
export interface FindingDetail {
  readonly notePath: string;
  readonly gateId: string;
  readonly modelId: string;
  readonly anchor: string;
  readonly severity: Exclude<FindingSeverity, "info">;
  readonly message: string;
  readonly quote?: string;
  readonly line?: number;
  readonly suggestedRevision?: string;
}

const written = z.object({
  note: z.string(),
  gate: z.string(),
  model: z.string(),
  anchor: z.string().regex(/^[0-9a-f]{16}$/),
  severity: z.enum(["warn", "fail", "error"]),
  message: z.string(),
  quote: z.string().optional(),
  line: z.int().positive().optional(),
  suggested_revision: z.string().optional(),
});

/** A line that cannot be read explains nothing and is left out. */
export function parseFindings(text: string): readonly FindingDetail[] {
  return text.split("\n").flatMap((line) => {
    const read = written.safeParse(parseJson(line));
    if (!read.success) return [];
    const {
      note,
      gate,
      model,
      suggested_revision: suggestion,
      quote,
      line: at,
      ...rest
    } = read.data;
    return [
      {
        ...{ notePath: note, gateId: gate, modelId: model, ...rest },
        ...(quote === undefined ? {} : { quote }),
        ...(at === undefined ? {} : { line: at }),
        ...(suggestion === undefined ? {} : { suggestedRevision: suggestion }),
      },
    ];
  });
}

/** Sorted, each once, so that the same findings give the same file and branches merge by union. */
export function renderFindingDetails(details: readonly FindingDetail[]): string {
  const lines = details.map((one) =>
    JSON.stringify({
      ...{ note: one.notePath, gate: one.gateId, model: one.modelId, anchor: one.anchor },
      ...{ severity: one.severity, message: one.message, quote: one.quote, line: one.line },
      suggested_revision: one.suggestedRevision,
    }),
  );
  const sorted = [...new Set(lines)].sort(compareBytes);
  return sorted.map((line) => `${line}\n`).join("");
}
