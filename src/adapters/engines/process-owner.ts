import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Holder, Owner } from "../../ports/run-store.ts";

/** This process, identified so that a reused pid is not mistaken for it. */
export function processOwner(): Owner {
  return { host: hostname(), pid: process.pid, processStart: startOf(process.pid) ?? "unknown" };
}

/** A process of this host by its pid, if it is running. */
export function findProcess(pid: number): Owner | undefined {
  const processStart = startOf(pid);
  return processStart === undefined ? undefined : { host: hostname(), pid, processStart };
}

/**
 * A holder on this host is dead if its pid does not exist or was started at another time; while it runs it counts as
 * alive even after its lease has expired (it may be suspended). A holder on another host is dead when its lease
 * expires.
 */
export function isDead(holder: Holder, nowMillis: number): boolean {
  if (holder.host === hostname()) return startOf(holder.pid) !== holder.processStart;
  return Date.parse(holder.expires) < nowMillis;
}

export function isSameProcess(one: Owner, other: Owner): boolean {
  return (
    one.host === other.host && one.pid === other.pid && one.processStart === other.processStart
  );
}

function startOf(pid: number): string | undefined {
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isZombie = fields[0] === "Z" || fields[0] === "X";
    return isZombie ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  const { stdout, status } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
  });
  return status === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
}
