/** A committed change of a file: what it was before, absent where it did not exist. */
export interface VersionChange {
  readonly at: string;
  readonly path: string;
  readonly before?: string;
}

/** A present pair, in its present versions. */
interface DatedPair {
  readonly note: { readonly path: string; readonly blobSha: string };
  readonly gate: { readonly id: string; readonly path: string; readonly blobSha: string };
  readonly isFresh: boolean;
}

interface DatedAcceptance {
  readonly notePath: string;
  readonly gateId: string;
  readonly noteBlob: string;
  readonly gateBlob: string;
  readonly at: string;
}

export interface StaleDay {
  readonly day: string;
  readonly fresh: number;
  /** Accepted before, but not in the versions of that day. */
  readonly changed: number;
  readonly neverReviewed: number;
}

/**
 * How many of the present pairs were fresh at the end of each day. A pair counts from the day on which its note and its
 * gate were there. Where nothing has happened to a pair since, it was what it is now.
 */
export function stalenessByDay(
  days: readonly { readonly day: string; readonly endsAt: string }[],
  world: {
    readonly pairs: readonly DatedPair[];
    /** In any order. */
    readonly changes: readonly VersionChange[];
    /** Oldest first. */
    readonly acceptances: readonly DatedAcceptance[];
  },
): readonly StaleDay[] {
  const versions = versionsByDay(days, world.changes);
  const accepted = Map.groupBy(world.acceptances, (one) => pairKey(one.notePath, one.gateId));
  const counts = days.map(({ day }) => ({ day, fresh: 0, changed: 0, neverReviewed: 0 }));
  for (const pair of world.pairs) {
    const notes = versions(pair.note);
    const gates = versions(pair.gate);
    const own = accepted.get(pairKey(pair.note.path, pair.gate.id)) ?? [];
    for (const [at, count] of counts.entries()) {
      const note = notes[at];
      const gate = gates[at];
      if (note === undefined || gate === undefined) continue;
      count[stateAt(days[at]?.endsAt ?? "", pair, { note, gate, own })] += 1;
    }
  }
  return counts;
}

/** The version of a file at the end of each day, found once for each file: undefined where it was not there. */
function versionsByDay(
  days: readonly { readonly endsAt: string }[],
  changes: readonly VersionChange[],
): (file: FileVersion) => readonly (string | undefined)[] {
  const byPath = Map.groupBy(changes, ({ path }) => path);
  for (const list of byPath.values()) list.sort((a, b) => (a.at < b.at ? -1 : 1));
  const known = new Map<string, readonly (string | undefined)[]>();
  return ({ path, blobSha }) => {
    const found =
      known.get(path) ??
      days.map(({ endsAt }) => {
        const next = byPath.get(path)?.find(({ at }) => at > endsAt);
        return next === undefined ? blobSha : next.before;
      });
    known.set(path, found);
    return found;
  };
}

type FileVersion = DatedPair["note"];

function stateAt(
  endsAt: string,
  pair: DatedPair,
  then: {
    readonly note: string;
    readonly gate: string;
    readonly own: readonly DatedAcceptance[];
  },
): "fresh" | "changed" | "neverReviewed" {
  const { note, gate, own } = then;
  const accepted = own.findLast(({ at }) => at <= endsAt);
  const isAsNow =
    note === pair.note.blobSha && gate === pair.gate.blobSha && accepted === own.at(-1);
  const isFresh = isAsNow
    ? pair.isFresh
    : accepted?.noteBlob === note && accepted.gateBlob === gate;
  if (isFresh) return "fresh";
  return accepted === undefined ? "neverReviewed" : "changed";
}

function pairKey(notePath: string, gateId: string): string {
  return `${notePath}\n${gateId}`;
}
