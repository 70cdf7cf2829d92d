import type { Pool } from "pg";
import type { RunId } from "../../../domain/values/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/values/instant.ts";
import type { Exclusively } from "../../../ports/exclusively.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { RunStore } from "../../../ports/run-store.ts";
import { quotedSchema } from "./worker-registry.ts";

/** What this checkout has written of one run. */
interface WrittenRun {
  /** The last event. */
  readonly seq: number;
  readonly changedAt: Instant;
  /** Whether nothing can follow before the run changes again. */
  readonly atRest: boolean;
}

/** How far the files of this checkout follow the record. */
export interface ProjectionProgress {
  /** Every run that changed before this has all its files here. */
  readonly until: Instant;
  /** Those that changed about then or later. */
  readonly written: { readonly [run: string]: WrittenRun };
}

export interface ChangedRun {
  readonly run: RunId;
  readonly kind: string;
  /** When its state changed last, by the clock of the database. */
  readonly changedAt: Instant;
  readonly atRest: boolean;
}

export interface FileProjectionParts {
  readonly store: Pick<RunStore, "events">;
  /** Those that write files. */
  readonly projectors: readonly Projector[];
  /** Some runs of these kinds that were executed elsewhere, beginning after this one, the oldest change first. */
  readonly changedAfter: (
    last: Pick<ChangedRun, "changedAt" | "run">,
    about: { readonly kinds: readonly string[]; readonly limit: number },
  ) => Promise<readonly ChangedRun[]>;
  readonly load: () => ProjectionProgress | undefined;
  readonly save: (progress: ProjectionProgress) => Promise<void>;
  readonly exclusively: Exclusively;
}

/** A change is committed a little after its time. */
const overlapMillis = 600_000;
const beginning: ProjectionProgress = { until: instantFromMillis(0), written: {} };
const eventsAtOnce = 200;
const runsAtOnce = 500;

/**
 * Writes the files of runs that workers have executed. Each checkout keeps its own progress; what is missing here can be
 * written again from the stored events at any time.
 */
export class FileProjection {
  readonly #parts: FileProjectionParts;
  readonly #kinds: readonly string[];

  constructor(parts: FileProjectionParts) {
    this.#parts = parts;
    this.#kinds = [...new Set(parts.projectors.flatMap(({ jobs = [] }) => jobs))];
  }

  /** Writes everything that is missing. Returns the number of runs that had something. */
  catchUp(): Promise<number> {
    return this.#parts.exclusively("projection", async () => {
      let count = 0;
      for await (const { runs, progress } of this.#changes()) {
        const written = { ...progress.written };
        for (const { run, kind, changedAt, atRest } of runs) {
          const known = written[run]?.seq ?? 0;
          const seq = await this.#write(run, kind, known);
          written[run] = { seq, changedAt, atRest };
          if (seq > known) count += 1;
        }
        await this.#parts.save(recent({ until: progress.until, written }));
      }
      return count;
    });
  }

  /** How many runs have events that are not in files here yet. */
  async pending(): Promise<number> {
    let count = 0;
    for await (const { runs, progress } of this.#changes()) {
      for (const { run, kind } of runs) {
        if (await this.#isBehind(run, kind, progress.written[run]?.seq ?? 0)) count += 1;
      }
    }
    return count;
  }

  /** Page by page: what may have events that are not written, and the progress once they are. */
  async *#changes(): AsyncGenerator<{
    readonly runs: readonly ChangedRun[];
    readonly progress: ProjectionProgress;
  }> {
    const { load, changedAfter } = this.#parts;
    const { until } = this.#progress(load());
    let last: Pick<ChangedRun, "changedAt" | "run"> = {
      changedAt: before(until),
      run: "" as RunId,
    };
    for (;;) {
      const page = await changedAfter(last, { kinds: this.#kinds, limit: runsAtOnce });
      const { written, until: reached } = this.#progress(load());
      const runs = page.filter(({ run, changedAt }) => {
        const known = written[run];
        return known?.atRest !== true || known.changedAt !== changedAt;
      });
      last = page.at(-1) ?? last;
      const progress = { until: last.changedAt > reached ? last.changedAt : reached, written };
      if (runs.length > 0) yield { runs, progress };
      if (page.length < runsAtOnce) return;
    }
  }

  /** A file of an older version counts as none: writing everything again changes nothing. */
  #progress(loaded: ProjectionProgress | undefined): ProjectionProgress {
    return loaded?.written === undefined ? beginning : loaded;
  }

  #projectorsOf(kind: string): readonly Projector[] {
    return this.#parts.projectors.filter(({ jobs }) => jobs?.includes(kind));
  }

  async #isBehind(run: RunId, kind: string, after: number): Promise<boolean> {
    const events = await this.#parts.store.events(run, after, eventsAtOnce);
    const kinds = new Set(this.#projectorsOf(kind).flatMap((projector) => projector.kinds));
    return events.some((event) => kinds.has(event.kind));
  }

  /** The last event that is written now. */
  async #write(run: RunId, kind: string, after: number): Promise<number> {
    for (let seq = after; ; ) {
      const events = await this.#parts.store.events(run, seq, eventsAtOnce);
      const last = events.at(-1);
      if (last === undefined) return seq;
      for (const projector of this.#projectorsOf(kind)) {
        const wanted = events.filter((event) => projector.kinds.includes(event.kind));
        if (wanted.length > 0) await projector.apply(wanted);
      }
      seq = last.seq;
    }
  }
}

/** The runs of a project that workers have begun. */
export function changedRunsOf(
  pool: Pick<Pool, "query">,
  project: string,
): FileProjectionParts["changedAfter"] {
  return async ({ changedAt, run }, { kinds, limit }) => {
    const { rows } = await pool.query<ChangedRun>(
      `SELECT run, kind, updated_at AS "changedAt", state <> 'running' AS "atRest"
       FROM ${quotedSchema(project)}.runs
       WHERE task IS NOT NULL AND epoch > 0 AND kind = ANY ($3) AND (updated_at, run) > ($1, $2)
       ORDER BY updated_at, run LIMIT $4`,
      [changedAt, run, kinds, limit],
    );
    return rows;
  };
}

function before(until: Instant): Instant {
  return instantFromMillis(Math.max(0, millisOf(until) - overlapMillis));
}

/** Runs that will not be listed again need not be remembered. */
function recent({ until, written }: ProjectionProgress): ProjectionProgress {
  const from = before(until);
  return {
    until,
    written: Object.fromEntries(
      Object.entries(written).filter(([, { changedAt }]) => changedAt >= from),
    ),
  };
}
