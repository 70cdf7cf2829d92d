import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a shell program that lives as long as the test, and returns its path. */
export async function smallProgram(lines: string, mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signoff-program-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "agent");
  await writeFile(path, `#!/bin/sh\nPATH="$PATH:/usr/bin:/bin"\n${lines}\n`);
  await chmod(path, mode);
  return path;
}

/** A zombie process counts as dead. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (!existsSync("/proc/self/status")) return false;
    return /^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}
