import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { StageProcess } from "../../../domain/stages/stage-history.ts";
import type { Clock } from "../../../ports/clock.ts";

/** Which coders run, kept where the next process finds it. */
export interface CoderLedger {
  /** Notes a coder; gives what takes the note away. */
  note(pid: number): Promise<() => Promise<void>>;
  /** Ends orphans with all of their process groups, and comes back when they are gone. */
  endOrphans(): Promise<readonly StageProcess[]>;
}

export interface CoderNotes {
  /** Of the project: any of its commands may find the orphan of another. */
  readonly folder: string;
  readonly isAlive: (process: StageProcess) => boolean;
}

export interface CoderLedgerSettings extends CoderNotes {
  readonly self: StageProcess;
  readonly find: (pid: number) => StageProcess | undefined;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  readonly graceMs?: number;
}

const processShape = z.object({ host: z.string(), pid: z.int().min(2), processStart: z.string() });
const noteShape = z.object({ owner: processShape, coder: processShape });
const grace = 5_000;
const pause = 20;

/**
 * Notes need no sync: what makes them vanish from the disk ends the coders too. A coder is noted before it gets its
 * prompt; only one that reads the prompt from a file could be at work for the instant before.
 */
export function createCoderLedger(settings: CoderLedgerSettings): CoderLedger {
  const { folder, self: owner, find } = settings;
  return {
    async note(pid) {
      const coder = find(pid);
      if (coder === undefined) return async () => undefined;
      const file = join(folder, `${pid}.json`);
      await mkdir(folder, { recursive: true });
      await writeFile(file, JSON.stringify({ owner, coder }));
      return () => rm(file, { force: true });
    },
    async endOrphans() {
      const orphans = await findOrphans(settings);
      for (const coder of orphans) {
        await endGroup(settings, coder);
        await rm(join(folder, `${coder.pid}.json`), { force: true });
      }
      return orphans;
    },
  };
}

/** Coders that run although the process that started them is gone. */
export async function findOrphans({
  folder,
  isAlive,
}: CoderNotes): Promise<readonly StageProcess[]> {
  const found: StageProcess[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const note = parseNote(await readFile(join(folder, name), "utf8").catch(() => ""));
    if (note !== undefined && !isAlive(note.owner) && isAlive(note.coder)) found.push(note.coder);
  }
  return found;
}

/** A note that a crash cut off names nobody who could be ended safely. */
function parseNote(text: string): z.output<typeof noteShape> | undefined {
  try {
    return noteShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The leader still has the start time that was noted, so the group cannot be a stranger's. */
async function endGroup(
  { isAlive, clock, graceMs = grace }: CoderLedgerSettings,
  coder: StageProcess,
): Promise<void> {
  const signal = new AbortController().signal;
  const politeUntil = clock.monotonic() + graceMs;
  send(coder, "SIGTERM");
  while (isAlive(coder)) {
    if (clock.monotonic() >= politeUntil) send(coder, "SIGKILL");
    await clock.sleep(pause, signal);
  }
  send(coder, "SIGKILL");
}

function send({ pid }: StageProcess, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
