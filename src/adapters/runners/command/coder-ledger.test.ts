import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isGone } from "../../../../tests/support/small-programs.ts";
import { isAlive } from "../../../wiring/models/coders.ts";
import { systemClock } from "../../../wiring/project/system-clock.ts";
import { findProcess, processOwner } from "../../engines/process-owner.ts";
import { createCoderLedger, findOrphans } from "./coder-ledger.ts";

/** Elsewhere the environment of a process is hidden, and only a leader that lives is known. */
const onLinux = test.runIf(process.platform === "linux");
const here = processOwner();
const gone = { ...here, processStart: "at another time" };

async function ledgerOf(self = here) {
  const folder = await mkdtemp(join(tmpdir(), "signoff-coders-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settings = { folder, self, find: findProcess, isAlive, clock: systemClock, graceMs: 100 };
  // Coders are looked for among all processes of the machine, where these tests may run several times.
  return { folder, settings, ledger: createCoderLedger(settings), mark: randomUUID() };
}

/** A coder with a helper in its group; the helper has said its number when both ignore polite requests. */
async function stubbornCoder(mark: string) {
  const script = `trap "" TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & wait`;
  const child = spawn("sh", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: "/usr/bin:/bin", SIGNOFF_CODER: mark },
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

/** A process that was killed takes a moment to end, and longer on a busy machine. */
function ended(pid: number) {
  return vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 60_000 });
}

test("a coder whose command is gone is ended with its whole group, however stubborn", async () => {
  const { folder, settings, ledger, mark } = await ledgerOf(gone);
  const { pid, helper } = await stubbornCoder(mark);
  await (await ledger.note(mark)).started(pid);
  expect(await findOrphans(settings)).toMatchObject([{ pid }]);
  expect(await ledger.endOrphans()).toMatchObject([{ pid }]);
  expect(isGone(pid)).toBe(true);
  await ended(helper);
  expect(await readdir(folder)).toEqual([]);
  expect(await ledger.endOrphans()).toEqual([]);
});

onLinux("helpers that outlived the coder itself are ended too", async () => {
  const { folder, settings, ledger, mark } = await ledgerOf(gone);
  const { pid, helper } = await stubbornCoder(mark);
  await (await ledger.note(mark)).started(pid);
  process.kill(pid, "SIGKILL");
  await ended(pid);
  expect(isGone(helper)).toBe(false);
  expect(await findOrphans(settings)).toMatchObject([{ pid: helper }]);
  expect(await ledger.endOrphans()).toMatchObject([{ pid: helper }]);
  await ended(helper);
  expect(await readdir(folder)).toEqual([]);
});

onLinux("a coder that was started but not yet recorded is found by its mark", async () => {
  const { ledger, mark } = await ledgerOf(gone);
  await ledger.note(mark);
  const { pid, helper } = await stubbornCoder(mark);
  expect(await ledger.endOrphans()).toHaveLength(1);
  await ended(pid);
  await ended(helper);
});

test("a coder whose command lives is let alone, and forgotten when it is done", async () => {
  const { folder, settings, ledger, mark } = await ledgerOf();
  const { pid } = await stubbornCoder(mark);
  const note = await ledger.note(mark);
  await note.started(pid);
  expect(await findOrphans(settings)).toEqual([]);
  expect(await ledger.endOrphans()).toEqual([]);
  expect(isGone(pid)).toBe(false);
  await note.forget();
  expect(await readdir(folder)).toEqual([]);
});

test("an unrelated process with the same pid, and a note that was cut off, are left alone", async () => {
  const { folder, ledger, mark } = await ledgerOf();
  const { pid } = await stubbornCoder("its own");
  const unrelated = { host: here.host, pid, processStart: "long ago" };
  const note = { owner: gone, mark, coder: unrelated };
  await writeFile(join(folder, `${mark}.json`), JSON.stringify(note));
  await writeFile(join(folder, "7.json"), '{"owner": {');
  expect(await ledger.endOrphans()).toEqual([]);
  expect(isGone(pid)).toBe(false);
});
