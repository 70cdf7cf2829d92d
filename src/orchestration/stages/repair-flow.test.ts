import { expect, it } from "vitest";
import { at, engineOn, heldBack, open } from "../../../tests/support/letter-engine.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { stageRepairKind, writeRepairJob } from "../../contract/stages/repair-job.ts";
import type { CoderCommand, CoderRun } from "../../ports/coder.ts";
import type { Job } from "../../ports/flow.ts";
import { createRepairFlow } from "./repair-flow.ts";

const ordering = { host: "shop", pid: 1, processStart: "1" };
const command: CoderCommand = {
  argv: ["coder"],
  timeoutMs: 60_000,
  reads: "text",
  input: "Keep the object.",
};
const job: Job = {
  id: "stage-repair/suppliers/repair-01",
  kind: stageRepairKind,
  input: writeRepairJob({
    folder: "suppliers",
    iterationId: "repair-01",
    command,
    globs: [],
    orderedBy: ordering,
  }),
  settings: {},
  createdAt: at,
};
const { runs: store } = openMemoryStore();

/** The engine of the process with this id, with a coder and a code base that behave as given. */
function repairing(
  parts: { readonly pid: number; readonly changedFiles?: readonly string[] },
  runCoder: () => Promise<Partial<CoderRun>>,
  runs = store,
) {
  const { pid, changedFiles = [] } = parts;
  const flow = createRepairFlow({
    runCoder: async () => ({
      stdout: "",
      stderr: "",
      reply: "",
      exitCode: 0,
      timedOut: false,
      ...(await runCoder()),
    }),
    watchCode: async () => async () => ({
      kind: "git",
      before: "a",
      after: "b",
      diffStat: "",
      changedFiles,
    }),
    watchEvidence: async () => ({ digests: {}, changed: async () => [] }),
    clock: { now: () => at },
    self: { ...ordering, pid },
  });
  const flows = new Map([[stageRepairKind, flow]]);
  return engineOn({ store: runs, flows, runner: heldBack(), pid, isDead: () => true });
}

const claim = (status: string): string =>
  JSON.stringify({ coder_status: status, summary: "", changed_files: [], decision_needed: null });

it("believes what it observes more than what the coder claims", async () => {
  const { runs } = openMemoryStore();
  const denying = async () => ({ reply: claim("no_change") });
  const engine = repairing({ pid: 1, changedFiles: ["scope.ts"] }, denying, runs);
  const ending = await engine.ending(await engine.submit(job), open);
  expect(ending).toMatchObject({
    kind: "finished",
    result: { status: "patched", claim: { status: "no_change" } },
  });
});

it("never starts the coder a second time, nor in a process that did not order the repair", async () => {
  let starts = 0;
  const first = repairing({ pid: 1 }, () => {
    starts += 1;
    return new Promise(() => undefined);
  });
  const run = await first.submit(job);
  await expect.poll(() => starts).toBe(1);
  const next = repairing({ pid: 2 }, async () => {
    starts += 1;
    return { reply: claim("patched") };
  });
  await next.resume(run, {});
  expect(await next.ending(run, open)).toMatchObject({
    kind: "finished",
    result: { status: "interrupted" },
  });
  const early = { ...job, id: "stage-repair/suppliers/repair-02" };
  const other = await next.submit(early);
  expect(await next.ending(other, open)).toMatchObject({ result: { status: "interrupted" } });
  expect(starts).toBe(1);
});
