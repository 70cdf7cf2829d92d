import type { RunId } from "../../../domain/values/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/values/instant.ts";
import type { Exclusively } from "../../../ports/exclusively.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { RunStore } from "../../../ports/run-store.ts";

/** How far the files of this checkout follow the record. */
export interface ProjectionProgress {
  /** Every run that changed before this has all its files here. */
  readonly until: Instant;
  /** The last event written for runs that changed later. */
  readonly runs: { readonly [run: string]: number };
}

export interface ChangedRun {
  readonly run: RunId;
  readonly kind: string;
  readonly changedAt: Instant;
}

export interface FileProjectionParts {
  readonly store: Pick<RunStore, "events">;
  /** Those that write files. */
  readonly projectors: readonly Projector[];
  /** Runs that were executed elsewhere and have changed since, oldest change first. */
  readonly changedSince: (since: Instant) => Promise<readonly ChangedRun[]>;
  readonly load: () => ProjectionProgress | undefined;
  readonly save: (progress: ProjectionProgress) => Promise<void>;
  readonly exclusively: Exclusively;
}

/** Clocks of workers differ, and a change is committed a little after its time. */
const overlapMillis = 600_000;
const beginning: ProjectionProgress = { until: instantFromMillis(0), runs: {} };
const page = 200;

/**
 * Writes the files of runs that workers have executed. Each checkout keeps its own progress; what is missing here can be
 * written again from the stored events at any time.
 */
export class FileProjection {
  readonly #parts: FileProjectionParts;

  constructor(parts: FileProjectionParts) {
    this.#parts = parts;
  }

  /** Writes everything that is missing, or only what these runs have. Returns the number of runs that had something. */
  catchUp(only?: readonly ChangedRun[]): Promise<number> {
    return this.#parts.exclusively("projection", async () => {
      const progress = this.#parts.load() ?? beginning;
      const runs = only ?? (await this.#parts.changedSince(before(progress.until)));
      const written: { [run: string]: number } = { ...progress.runs };
      let count = 0;
      for (const { run, kind } of runs) {
        const seq = await this.#write(run, kind, written[run] ?? 0);
        if (seq === undefined) continue;
        written[run] = seq;
        count += 1;
      }
      const next =
        only === undefined ? advanced(progress, runs, written) : { ...progress, runs: written };
      if (count > 0 || next.until !== progress.until) await this.#parts.save(next);
      return count;
    });
  }

  /** How many runs have events that are not in files here yet. */
  async pending(): Promise<number> {
    const { load, changedSince, store } = this.#parts;
    const { until, runs: written } = load() ?? beginning;
    let count = 0;
    for (const { run, kind } of await changedSince(before(until))) {
      const projectors = this.#projectorsOf(kind);
      if (projectors.length === 0) continue;
      const events = await store.events(run, written[run] ?? 0, page);
      if (events.some((event) => projectors.some(({ kinds }) => kinds.includes(event.kind)))) {
        count += 1;
      }
    }
    return count;
  }

  #projectorsOf(kind: string): readonly Projector[] {
    return this.#parts.projectors.filter(({ jobs }) => jobs?.includes(kind) ?? true);
  }

  /** The last event seen; undefined if there was none. */
  async #write(run: RunId, kind: string, after: number): Promise<number | undefined> {
    const projectors = this.#projectorsOf(kind);
    if (projectors.length === 0) return undefined;
    let seq = after;
    for (;;) {
      const events = await this.#parts.store.events(run, seq, page);
      const last = events.at(-1);
      if (last === undefined) return seq === after ? undefined : seq;
      for (const projector of projectors) {
        const wanted = events.filter((event) => projector.kinds.includes(event.kind));
        if (wanted.length > 0) await projector.apply(wanted);
      }
      seq = last.seq;
    }
  }
}

function before(until: Instant): Instant {
  return instantFromMillis(Math.max(0, millisOf(until) - overlapMillis));
}

/** Runs that will not be listed again need not be remembered. */
function advanced(
  progress: ProjectionProgress,
  runs: readonly ChangedRun[],
  written: { readonly [run: string]: number },
): ProjectionProgress {
  const until = runs.at(-1)?.changedAt ?? progress.until;
  const from = before(until);
  const recent = runs.filter(({ changedAt }) => changedAt >= from);
  return {
    until,
    runs: Object.fromEntries(
      recent.flatMap(({ run }) => (written[run] === undefined ? [] : [[run, written[run]]])),
    ),
  };
}
