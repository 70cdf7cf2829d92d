import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { instant } from "../../domain/values/instant.ts";
import { findProcess, isDead, processOwner } from "./process-owner.ts";

const since = instant("2026-11-15T12:00:00.000Z");
const expires = instant("2026-11-15T12:00:30.000Z");
const expiry = Date.parse(expires);

describe("the holder of a run", () => {
  it("is this process, by its host, its number and its start", () => {
    const owner = processOwner();
    expect(owner).toMatchObject({ host: hostname(), pid: process.pid });
    expect(owner.processStart).toMatch(/\d/u);
    expect(findProcess(process.pid)).toEqual(owner);
  });

  it("is alive while its process runs, however old its lease is", () => {
    expect(isDead({ ...processOwner(), since, expires }, expiry + 3_600_000)).toBe(false);
  });

  it("is dead if its process number belongs to a process started at another time", () => {
    const other = { ...processOwner(), processStart: "1", since, expires };
    expect(isDead(other, expiry - 1)).toBe(true);
  });

  it("is dead once its process has ended, and found no more", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    const owner = findProcess(child.pid ?? 0);
    expect(owner).toMatchObject({ host: hostname(), pid: child.pid });
    expect(owner?.processStart).not.toBe(processOwner().processStart);
    child.kill();
    await once(child, "exit");
    expect(findProcess(child.pid ?? 0)).toBeUndefined();
    const holder = { ...(owner ?? processOwner()), since, expires };
    expect(isDead(holder, expiry - 1)).toBe(true);
  });

  it.runIf(process.platform === "linux")("is dead as soon as it is a zombie", () => {
    const child = spawn(process.execPath, ["--version"]);
    // Node collects it when this test gives way, which it does not.
    while (!readFileSync(`/proc/${child.pid}/stat`, "utf8").includes(") Z ")) spawnSync("true");
    expect(findProcess(child.pid ?? 0)).toBeUndefined();
  });

  it("is dead on another host only when its lease has expired", () => {
    const far = { ...processOwner(), host: "another desk", since, expires };
    expect([expiry, expiry + 1].map((now) => isDead(far, now))).toEqual([false, true]);
  });
});
