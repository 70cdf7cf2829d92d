import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EndedProcess, startSignoff } from "./signoff-process.ts";

const keeper = fileURLToPath(new URL("keep-states.mjs", import.meta.url));

export interface KillStates {
  /** Not every moment comes in every run: how many events are projected together depends on timing. */
  readonly reached: readonly string[];
  /** Puts the folder into the state that a kill at this moment leaves. Each moment can be had once. */
  restore(moment: string): void;
  remove(): void;
}

/**
 * Runs a command once, in a process of its own, and keeps what a kill would leave on the disk at each of the moments
 * (`point:n`): a hundred kills for one start of the program.
 */
export async function keepKillStates(
  args: readonly string[],
  at: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  moments: readonly string[],
): Promise<KillStates> {
  const place = mkdtempSync(join(tmpdir(), "signoff-states-"));
  const { code, stderr } = await runKeeping(args, at, { place, moments });
  if (code === null) throw new Error(`signoff ${args.join(" ")}: ${stderr}`);
  return {
    reached: moments.filter((moment) => existsSync(join(place, moment))),
    restore(moment) {
      rmSync(at.cwd, { recursive: true, force: true });
      renameSync(join(place, moment), at.cwd);
    },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

function runKeeping(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  keep: { readonly place: string; readonly moments: readonly string[] },
): Promise<EndedProcess> {
  const keeping = {
    NODE_OPTIONS: `--import=${keeper}`,
    SIGNOFF_CRASH_LOG: join(keep.place, "points.log"),
    KEEP_STATES_IN: keep.place,
    KEEP_MOMENTS: keep.moments.join(" "),
  };
  return startSignoff(args, { cwd, env: { ...env, ...keeping } }).ended;
}

/** How often a command reached each point, by its crash log. */
export function pointsIn(log: string): ReadonlyMap<string, number> {
  const reached = new Map<string, number>();
  for (const point of readFileSync(log, "utf8").trim().split("\n"))
    reached.set(point, (reached.get(point) ?? 0) + 1);
  return reached;
}

/** The first, a middle and the last time that a point is reached. */
export function momentsOf(point: string, times: number): readonly string[] {
  const chosen = new Set([1, Math.ceil(times / 2), times]);
  return [...chosen].map((time) => `${point}:${time}`);
}
