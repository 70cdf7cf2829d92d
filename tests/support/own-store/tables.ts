import type { Repos, RunRecord, RunStore } from "../../../src/testing/index.ts";

type Rows<T> = T extends (...args: never[]) => Promise<readonly (infer Row)[]> ? Row : never;
type Given<T> = T extends (row: infer Row) => unknown ? Row : never;
type Reviews = Repos["reviews"];
type Journal = RunStore;
type LedgerLine = Rows<Repos["ledger"]["lines"]>;

export type Budget = RunRecord["budget"];
export type Event = Rows<Journal["events"]>;
export type Decision = Rows<Repos["inbox"]["open"]>;
export type Ruling = Rows<Repos["rulings"]["of"]>;
export type ReviewRun = Rows<Reviews["runs"]["open"]>;
export type Pair = Rows<Reviews["runGates"]["of"]>;

export interface RunRow {
  record: RunRecord;
  /** Of the last lease: it also names who may still mark events as projected. */
  token?: string;
  line?: { readonly title: string; readonly outcome?: string };
  isListed: boolean;
}

export type CallRow = Parameters<Journal["record"]>[1] & {
  readonly run: string;
  readonly facts?: Awaited<ReturnType<Journal["facts"]>>;
};

export interface AttemptRow extends LedgerLine {
  /** What it takes from the budget: the reservation while it is open, the cost afterwards. */
  readonly held: Required<Budget>;
}

/** Everything that the store keeps, as plain data. */
export interface Tables {
  runs: RunRow[];
  calls: CallRow[];
  attempts: AttemptRow[];
  events: Event[];
  decisions: Decision[];
  rulings: Ruling[];
  unsigned: Rows<Repos["inbox"]["unsigned"]>[];
  stages: ({ readonly folder: string } & Parameters<Repos["stages"]["record"]>[1])[];
  people: (Parameters<Repos["people"]["add"]>[0] & { readonly token: string })[];
  sessions: Given<Repos["people"]["openSession"]>[];
  attention: Given<Repos["people"]["attend"]>[];
  reviewRuns: (ReviewRun & { readonly movesSeen: number })[];
  pairs: (Pair & { readonly run: string; readonly isClaimed?: boolean })[];
  reviews: Rows<Reviews["gateReviews"]["latest"]>[];
  acceptances: Rows<Reviews["acceptances"]["ofNote"]>[];
  dismissals: Rows<Reviews["dismissals"]["all"]>[];
  moves: Rows<Reviews["notePaths"]["movesAfter"]>[];
  blobs: { readonly blob: string; readonly text: string }[];
}

export function emptyTables(): Tables {
  return {
    ...{ runs: [], calls: [], attempts: [], events: [], decisions: [], rulings: [], unsigned: [] },
    ...{ stages: [], people: [], sessions: [], attention: [] },
    ...{ reviewRuns: [], pairs: [], reviews: [], acceptances: [], dismissals: [], moves: [] },
    blobs: [],
  };
}

/** Rows are replaced, never changed, but for those of runs. */
export function snapshotOf(tables: Tables): Tables {
  const lists = Object.entries(tables).map(([name, rows]) => [name, [...rows]]);
  const runs = tables.runs.map((row) => ({ ...row }));
  return { ...Object.fromEntries(lists), runs };
}

/** A copy without absent members: what a caller changes afterwards changes nothing here. */
export function copy<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Orders by these values, the first that differs decides. */
export function by<T>(...values: ((row: T) => string | number)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const value of values) {
      if (value(a) !== value(b)) return value(a) < value(b) ? -1 : 1;
    }
    return 0;
  };
}

/** The run, its children, theirs and so on. */
export function familyOf({ runs }: Tables, run: string): ReadonlySet<string> {
  const family = new Set([run]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { record } of runs) {
      if (record.parent !== undefined && family.has(record.parent)) family.add(record.run);
    }
  }
  return family;
}
