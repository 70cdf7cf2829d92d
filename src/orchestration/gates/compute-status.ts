import { defined } from "../../domain/values/defined.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import type { NoteTree } from "./list-tree.ts";
import { loadWorld } from "./load-world.ts";
import { findMovedNotes } from "./moved-notes.ts";
import type { NotesTools } from "./notes-tools.ts";
import { planWork, unreviewable } from "./plan-work.ts";
import { type NoteProblem, selectPairs } from "./select-pairs.ts";
import type { NotesStatus, StalePair, StatusReason, StatusRequest } from "./status-report.ts";
import type { TargetPair } from "./target-pair.ts";

export async function computeStatus(
  tools: NotesTools,
  tree: NoteTree,
  request: StatusRequest,
): Promise<NotesStatus> {
  const world = await loadWorld(tools, request, tree);
  const { models, reasons, strictFormat } = request;
  const selection = await selectPairs(tools, world, {
    models,
    ...(strictFormat ? { format: gateFormatVersion } : {}),
  });
  const chosen = selection.stale.filter(
    (pair) => reasons.length === 0 || reasons.includes(reasonOf(pair)),
  );
  // Planned like `notes review`, so that both report the same cost.
  const how = { judges: models, strategy: "by-note", retryUndecided: false } as const;
  const work = planWork(tools, chosen, how);
  const counts = { "missing-review": 0, "gate-changed": 0, "note-changed": 0, undecided: 0 };
  for (const pair of chosen) counts[reasonOf(pair)] += 1;
  return {
    models: [...models],
    notes: world.notes.length,
    gates: world.gates.length,
    pairs: selection.pairs,
    fresh: selection.fresh,
    counts,
    trivial: selection.trivial.length,
    ruled: selection.ruled,
    attested: tools.store === undefined && selection.pairs > selection.stale.length,
    stale: chosen.map(staleOf),
    moved: counts["missing-review"] > 0 ? await findMovedNotes(tools, world.allNotes) : [],
    cost: work.cost,
    problems: withoutDuplicates([...selection.problems, ...unreviewable(work)]),
    skipped: world.skipped,
  };
}

function withoutDuplicates(problems: readonly NoteProblem[]): readonly NoteProblem[] {
  return [...new Map(problems.map((one) => [`${one.path}\n${one.message}`, one])).values()];
}

export function reasonOf({ state }: TargetPair): StatusReason {
  if (state.kind === "undecided") return "undecided";
  return state.kind === "stale" ? state.reason : "missing-review";
}

function staleOf(pair: TargetPair): StalePair {
  const { note, gate, model, state, accepted } = pair;
  return {
    note: note.path,
    gate: gate.id,
    model,
    reason: reasonOf(pair),
    ...(state.kind === "undecided" ? { undecidedTimes: state.times } : {}),
    noteBlob: note.blobSha,
    ...defined({ acceptedNoteBlob: accepted?.noteBlob }),
  };
}
