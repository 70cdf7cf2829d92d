import { acceptanceOrigins } from "../../domain/gates/acceptance.ts";
import type { PairState } from "../../domain/gates/pair-state.ts";
import { explainStaleness } from "../../domain/gates/staleness.ts";
import { counted } from "../../domain/values/counted.ts";
import { defined } from "../../domain/values/defined.ts";
import { earlierTexts, type Filed } from "./filed-verdicts.ts";
import { loadWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { readPairName } from "./rule-pairs.ts";
import { notApplicable, selectAllPairs } from "./select-pairs.ts";
import type { NotesStatus } from "./status-report.ts";
import { type Accepted, snapshotOf, type TargetPair } from "./target-pair.ts";

export interface PairExplanation {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly sentence: string;
  readonly from?: Filed["from"];
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
  const { note, gate, model, accepted, state } = pair;
  const more = [
    ...(state.kind === "undecided" ? [`no verdict in ${counted(state.times, "review")}`] : []),
    ...(accepted === undefined ? [] : [verdictOf(accepted, state)]),
    ...rulingsOn(accepted),
  ];
  return {
    note: note.path,
    gate: gate.id,
    model,
    sentence: [explainState(pair), ...more].join("; "),
    ...defined({ from: accepted?.from }),
  };
}

function explainState(pair: TargetPair): string {
  const { note, gate, accepted, state, trivial } = pair;
  if (state.kind !== "fresh" || !trivial)
    return explainStaleness(note, gate, snapshotOf(pair, accepted));
  return `fresh: nothing that matters to the review has changed since note ${accepted?.noteBlob.slice(0, 10)} and gate ${accepted?.gateBlob.slice(0, 10)}`;
}

function verdictOf({ says, kind }: Accepted, state: PairState): string {
  const verdict = state.kind === "fresh" ? "verdict" : "last verdict";
  return `${verdict}: ${says}, ${acceptanceOrigins[kind]}`;
}

function rulingsOn(accepted: TargetPair["accepted"]): readonly string[] {
  const { override, dismissed = 0 } = accepted ?? {};
  return [
    ...(dismissed > 0 ? [`${counted(dismissed, "finding")} dismissed`] : []),
    ...(override === undefined
      ? []
      : [`overridden to ${override.decision} by ${override.by}: ${override.reason}`]),
  ];
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
