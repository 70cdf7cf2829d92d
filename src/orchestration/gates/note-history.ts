import type { Ruling } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { AcceptanceRow, GateReviewRow } from "../../ports/review-repos.ts";
import type { NotesTools } from "./notes-tools.ts";
import { loadRulings } from "./rulings.ts";

export interface HistoryEntry
  extends Pick<GateReviewRow, "model" | "noteBlob" | "gateBlob" | "summary">,
    Partial<Pick<AcceptanceRow, "reason" | "by">> {
  readonly act: "review" | "acceptance" | "ruling";
  readonly at: string;
  readonly kind?: string;
  readonly decision: string;
  readonly gate: string;
  readonly run?: number;
}

/** Every review, acceptance and ruling of a note, oldest first. */
export async function loadHistory(
  tools: NotesTools,
  notePath: string,
): Promise<readonly HistoryEntry[]> {
  const { store, files } = tools;
  const rulings = (await loadRulings(tools)).all.filter((one) => one.notePath === notePath);
  const filed = await store?.read(async ({ reviews }) => {
    const found: HistoryEntry[] = [];
    for (const row of await reviews.gateReviews.ofNote(notePath))
      found.push(reviewEntry(row, (await reviews.runs.find(row.run))?.number));
    const accepted = await reviews.acceptances.ofNote(notePath);
    return [...found, ...accepted.map(acceptanceEntry)];
  });
  const entries = [...(filed ?? []), ...rulings.map(rulingEntry)];
  // A deleted note still has its history; an unknown name is a typing error.
  if (entries.length === 0 && !files.exists(notePath))
    throw new ConfigurationError(`There is no note ${notePath}, and it has no history.`, {
      code: "note-unknown",
      facts: { path: notePath },
    });
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

function rulingEntry(ruling: Ruling): HistoryEntry {
  const { at, gateId: gate, kind, noteBlob, gateBlob, reason, by } = ruling;
  const about =
    ruling.kind === "dismiss"
      ? { model: "", decision: "dismissed" }
      : { model: ruling.modelId, decision: ruling.decision };
  return { at, act: "ruling", gate, kind, noteBlob, gateBlob, reason, by, ...about };
}

function reviewEntry(row: GateReviewRow, run: number | undefined): HistoryEntry {
  const { at, gateId: gate, model, decision, noteBlob, gateBlob, summary } = row;
  return {
    ...{ at, act: "review", gate, model, decision, noteBlob, gateBlob },
    ...defined({ run, summary }),
  };
}

function acceptanceEntry(row: AcceptanceRow): HistoryEntry {
  const { at, gateId: gate, model, decision, kind, noteBlob, gateBlob, reason, by } = row;
  return {
    ...{ at, act: "acceptance", gate, model, decision, kind, noteBlob, gateBlob },
    ...defined({ reason, by }),
  };
}
