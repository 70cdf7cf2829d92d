import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isGone } from "../../../../tests/support/small-programs.ts";
import { isAlive } from "../../../wiring/coders.ts";
import { systemClock } from "../../../wiring/system-clock.ts";
import { findProcess, processOwner } from "../../engines/embedded/process-owner.ts";
import { createCoderLedger, findOrphans } from "./coder-ledger.ts";

const here = processOwner();
const gone = { ...here, processStart: "at another time" };

async function ledgerOf(self = here) {
  const folder = await mkdtemp(join(tmpdir(), "signoff-coders-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settings = { folder, self, find: findProcess, isAlive, clock: systemClock, graceMs: 100 };
  return { folder, settings, ledger: createCoderLedger(settings) };
}

/** A coder with a helper in its group; it has said `ready` when both of them ignore polite requests. */
async function stubbornCoder() {
  const script = `trap "" TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & wait`;
  const child = spawn("sh", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const pid = child.pid ?? 0;
  onTestFinished(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // Ended by the test, as it should be.
    }
  });
  return { pid, helper: Number(String(said)) };
}

test("a coder whose command is gone is ended with its whole group, however stubborn", async () => {
  const { folder, settings, ledger } = await ledgerOf(gone);
  const { pid, helper } = await stubbornCoder();
  await ledger.note(pid);
  expect(await findOrphans(settings)).toMatchObject([{ pid }]);
  expect(await ledger.endOrphans()).toMatchObject([{ pid }]);
  expect(isGone(pid)).toBe(true);
  await vi.waitFor(() => expect(isGone(helper)).toBe(true), { timeout: 60_000 });
  expect(await readdir(folder)).toEqual([]);
  expect(await ledger.endOrphans()).toEqual([]);
});

test("a coder whose command lives is let alone, and forgotten when it is done", async () => {
  const { folder, settings, ledger } = await ledgerOf();
  const { pid } = await stubbornCoder();
  const forget = await ledger.note(pid);
  expect(await findOrphans(settings)).toEqual([]);
  expect(await ledger.endOrphans()).toEqual([]);
  expect(isGone(pid)).toBe(false);
  await forget();
  expect(await readdir(folder)).toEqual([]);
});

test("a stranger who has the number now, and a note that was cut off, are let alone", async () => {
  const { folder, ledger } = await ledgerOf();
  const { pid } = await stubbornCoder();
  const stranger = { host: here.host, pid, processStart: "long ago" };
  await writeFile(join(folder, `${pid}.json`), JSON.stringify({ owner: gone, coder: stranger }));
  await writeFile(join(folder, "7.json"), '{"owner": {');
  expect(await ledger.endOrphans()).toEqual([]);
  expect(isGone(pid)).toBe(false);
});
