import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { StageProcess } from "../../../domain/stages/stage-history.ts";
import type { Clock } from "../../../ports/clock.ts";
import { findMarked } from "./marked-processes.ts";

/** Records which coders are running, for later processes. */
export interface CoderLedger {
  /** Records a coder that is about to start with this mark in its environment. */
  note(mark: string): Promise<CoderNote>;
  /** Ends orphans with their whole process groups; resolves when they are gone. */
  endOrphans(): Promise<readonly StageProcess[]>;
}

export interface CoderNote {
  started(pid: number): Promise<void>;
  forget(): Promise<void>;
}

export interface CoderNotes {
  /** Shared by the project, so that any command finds what another one left running. */
  readonly folder: string;
  readonly isAlive: (process: StageProcess) => boolean;
  readonly find: (pid: number) => StageProcess | undefined;
}

export interface CoderLedgerSettings extends CoderNotes {
  readonly self: StageProcess;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  readonly graceMs?: number;
}

const processShape = z.object({ host: z.string(), pid: z.int().min(2), processStart: z.string() });
const noteShape = z.object({
  owner: processShape,
  mark: z.string().min(1),
  coder: processShape.optional(),
});
type Note = z.output<typeof noteShape>;
const grace = 5_000;
const pause = 20;

/**
 * Notes need no sync: a power cut that loses them also ends the coders. A coder is noted before it starts; its pid is
 * added as soon as it is known.
 */
export function createCoderLedger(settings: CoderLedgerSettings): CoderLedger {
  const { folder, self: owner, find } = settings;
  return {
    async note(mark) {
      const file = join(folder, `${mark}.json`);
      const write = (note: Note) => writeFile(file, JSON.stringify(note));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write({ owner, mark });
      return {
        async started(pid) {
          const coder = find(pid);
          if (coder !== undefined) await write({ owner, mark, coder });
        },
        forget: () => rm(file, { force: true }),
      };
    },
    async endOrphans() {
      const ended: StageProcess[] = [];
      for (const { file, note } of await abandonedNotes(settings)) {
        const [first] = await groupOf(settings, note);
        if (first !== undefined) ended.push(first);
        await endGroup(settings, note);
        await rm(file, { force: true });
      }
      return ended;
    },
  };
}

/** Coders that still run although the process that started them is gone: the leader of each, or a remaining member. */
export async function findOrphans(notes: CoderNotes): Promise<readonly StageProcess[]> {
  const found: StageProcess[] = [];
  for (const { note } of await abandonedNotes(notes)) {
    const [first] = await groupOf(notes, note);
    if (first !== undefined) found.push(first);
  }
  return found;
}

async function abandonedNotes({ folder, isAlive }: CoderNotes) {
  const found: { readonly file: string; readonly note: Note }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const note = parseNote(await readFile(file, "utf8").catch(() => ""));
    if (note !== undefined && !isAlive(note.owner)) found.push({ file, note });
  }
  return found;
}

/** A note that a crash cut short names no process that could be ended safely. */
function parseNote(text: string): Note | undefined {
  try {
    return noteShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * The remaining processes of a coder's group, its leader first. Processes that left the group on purpose, such as a
 * build server, are left alone. The leader is recognised by its recorded start time, the others by the mark.
 */
async function groupOf(
  { isAlive, find }: CoderNotes,
  { mark, coder }: Note,
): Promise<readonly StageProcess[]> {
  const leader = coder !== undefined && isAlive(coder) ? [coder] : [];
  const members = (await findMarked(mark))
    .filter(({ group }) => coder === undefined || group === coder.pid)
    .flatMap(({ pid }) => find(pid) ?? [])
    .filter(({ pid }) => pid !== coder?.pid);
  return [...leader, ...members];
}

/** While its leader lives, the group is signalled as a whole; afterwards each member is signalled by itself. */
async function endGroup(settings: CoderLedgerSettings, note: Note): Promise<void> {
  const { clock, isAlive, graceMs = grace } = settings;
  const { signal } = new AbortController();
  const politeUntil = clock.monotonic() + graceMs;
  const whole = note.coder !== undefined && isAlive(note.coder) ? -note.coder.pid : undefined;
  const asked = new Set<number>();
  for (let left = await groupOf(settings, note); left.length > 0; ) {
    const targets = whole === undefined ? left.map(({ pid }) => pid) : [whole];
    if (clock.monotonic() >= politeUntil) for (const one of targets) send(one, "SIGKILL");
    for (const one of targets.filter((each) => !asked.has(each))) send(one, "SIGTERM");
    for (const one of targets) asked.add(one);
    await clock.sleep(pause, signal);
    left = await groupOf(settings, note);
  }
  if (whole !== undefined) send(whole, "SIGKILL");
}

function send(target: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(target, signal);
  } catch {
    // It is gone already.
  }
}
