import { spawnSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, type Surroundings, startSignoff } from "./signoff-process.ts";

export interface HeldProcess extends RunningProcess {
  /** Lets it continue from the point where it is held. */
  release(): Promise<void>;
}

let pipes = 0;

/**
 * Starts a command and returns when it is paused at the named crash point (`point` or `point:n`): opening a named pipe
 * blocks until the process reads it.
 */
export async function holdSignoffAt(
  moment: string,
  args: readonly string[],
  { cwd, env }: Surroundings,
): Promise<HeldProcess> {
  pipes += 1;
  const pipe = join(cwd, `held-${pipes}.pipe`);
  spawnSync("mkfifo", [pipe]);
  const held = { SIGNOFF_PAUSE_AT: moment, SIGNOFF_PAUSE_PIPE: pipe };
  const running = startSignoff(args, { cwd, env: { ...env, ...held } });
  const early = running.ended.then(({ stderr }) => {
    throw new Error(`it ended before it reached ${moment}: ${stderr}`);
  });
  early.catch(() => undefined);
  const writer = await Promise.race([open(pipe, "w"), early]);
  let isOpen = true;
  const release = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await writer.close();
  };
  const ended = running.ended.finally(() => {
    void release();
  });
  return { child: running.child, ended, release };
}
