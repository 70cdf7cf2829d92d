import { explainStaleness } from "../../domain/gates/staleness.ts";
import { defined } from "../../domain/values/defined.ts";
import { readPairName } from "./acknowledge.ts";
import { loadWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import {
  earlierTexts,
  notApplicable,
  selectAllPairs,
  snapshotOf,
  type TargetPair,
} from "./select-pairs.ts";
import type { NotesStatus } from "./status-report.ts";

export interface PairExplanation {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly sentence: string;
  readonly from?: "store" | "lock";
}

/** Why one pair is what it is, with the versions that decided it. */
export async function explainPair(
  tools: NotesTools,
  name: string,
  models: readonly string[],
): Promise<readonly PairExplanation[]> {
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const { note, gate } = readPairName(world, name);
  const one = await loadWorld(tools, { paths: [note], gates: [gate] });
  const { freshPairs, stale } = await selectAllPairs(tools, one, { models });
  if (freshPairs.length + stale.length === 0) throw notApplicable(note, gate);
  return [...freshPairs, ...stale].map(explainTarget);
}

/** Why the pair is what it is, as a sentence. */
export function explainTarget(pair: TargetPair): PairExplanation {
  const { note, gate, model, accepted, state, trivial } = pair;
  const more = [
    ...(state.kind === "undecided" ? [`left undecided ${state.times} times`] : []),
    ...(trivial ? ["no watched part changed: `review` acknowledges it"] : []),
    ...(accepted === undefined ? [] : [`accepted as ${accepted.decision} by ${accepted.kind}`]),
  ];
  return {
    note: note.path,
    gate: gate.id,
    model,
    sentence: [explainStaleness(note, gate, snapshotOf(pair, accepted)), ...more].join("; "),
    ...defined({ from: accepted?.from }),
  };
}

/** Both texts of each changed note, where the accepted one is still known. */
export async function changedTexts(
  tools: NotesTools,
  status: NotesStatus,
): Promise<readonly { readonly note: string; readonly before: string; readonly after: string }[]> {
  const changed = new Map(
    status.stale.flatMap((pair) =>
      pair.reason === "note-changed" && pair.acceptedNoteBlob !== undefined
        ? [[pair.note, pair.acceptedNoteBlob] as const]
        : [],
    ),
  );
  const texts = await earlierTexts(tools, [...changed.values()]);
  return [...changed].flatMap(([note, blob]) => {
    const before = texts.get(blob);
    const now = tools.source.readText(note);
    return before === undefined || now.kind !== "text" ? [] : [{ note, before, after: now.text }];
  });
}
