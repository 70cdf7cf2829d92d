import { notByModel } from "../../domain/evidence/standing.ts";
import type { Saved } from "../../orchestration/scenarios/save-pack.ts";
import type { Line } from "../shell/lay-out.ts";
import { accent, bad, caution, good } from "../shell/styles.ts";

export function savedLines({ decision, file, deciders, next, published }: Saved): readonly Line[] {
  if (decision.kind === "refuse") {
    return [
      bad("Not saved."),
      ...bulletLines(decision.reasons),
      next !== undefined && ["Next: ", accent(next)],
    ];
  }
  const other = notByModel(deciders);
  const isValidated = decision.mark === "validated";
  return [
    [
      isValidated ? good("Saved") : caution("Saved as an unvalidated draft, which proves nothing"),
      `: ${file}`,
    ],
    ...bulletLines(decision.mark === "validated" ? [] : decision.failing),
    other !== undefined && caution(`Note: ${other}.`),
    published?.kind === "published" && good("Published."),
    published?.kind === "failed" && [bad("Not published: "), published.why],
  ];
}

export function bulletLines(texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ lead: ["  - "], spans: [text] }));
}
