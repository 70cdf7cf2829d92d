/** A committed change of a file: what it was before, absent where it did not exist. */
export interface VersionChange {
  readonly at: string;
  readonly path: string;
  readonly before?: string;
}

/** A present pair, in its present versions. */
interface DatedPair {
  readonly note: FileVersion;
  readonly gate: FileVersion;
  readonly isFresh: boolean;
  /** Everything accepted for it, oldest first. */
  readonly accepted: readonly DatedAcceptance[];
}

interface FileVersion {
  readonly path: string;
  readonly blobSha: string;
}

export interface DatedAcceptance {
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
export class StalenessByDay {
  readonly #days: readonly { readonly day: string; readonly endsAt: string }[];
  readonly #versions: ReturnType<typeof versionsByDay>;
  readonly #counts;

  /** The changes may be in any order. */
  constructor(
    days: readonly { readonly day: string; readonly endsAt: string }[],
    changes: readonly VersionChange[],
  ) {
    this.#days = days;
    this.#versions = versionsByDay(days, changes);
    this.#counts = days.map(({ day }) => ({ day, fresh: 0, changed: 0, neverReviewed: 0 }));
  }

  get counts(): readonly StaleDay[] {
    return this.#counts;
  }

  add(pair: DatedPair): void {
    const notes = this.#versions(pair.note);
    const gates = this.#versions(pair.gate);
    for (const [at, count] of this.#counts.entries()) {
      const note = notes[at];
      const gate = gates[at];
      if (note === undefined || gate === undefined) continue;
      count[stateAt(this.#days[at]?.endsAt ?? "", pair, { note, gate })] += 1;
    }
  }
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

function stateAt(
  endsAt: string,
  pair: DatedPair,
  { note, gate }: { readonly note: string; readonly gate: string },
): "fresh" | "changed" | "neverReviewed" {
  const { accepted: own } = pair;
  const accepted = own.findLast(({ at }) => at <= endsAt);
  const isAsNow =
    note === pair.note.blobSha && gate === pair.gate.blobSha && accepted === own.at(-1);
  const isFresh = isAsNow
    ? pair.isFresh
    : accepted?.noteBlob === note && accepted.gateBlob === gate;
  if (isFresh) return "fresh";
  return accepted === undefined ? "neverReviewed" : "changed";
}
