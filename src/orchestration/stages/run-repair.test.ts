import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { repairPartsIn, supplierStage } from "../../../tests/support/stage-parts.ts";
import type { RunCoder } from "../../ports/coder.ts";
import { recordStage } from "./record-stage.ts";
import { executeRepair, type RepairParts } from "./run-repair.ts";

const stage = supplierStage("stages/suppliers");
const coder = { argv: ["coder"], timeoutMs: 60_000, reads: "text" } as const;
let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "signoff-repair-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A stage with nothing but a prepared repair. */
async function prepare(parts: RepairParts, iterationId = "repair-01"): Promise<void> {
  const event = {
    kind: "repair-prepared",
    iterationId,
    packHash: "pack-a",
    questions: [],
  } as const;
  await recordStage(parts, stage, () => ({
    entries: [{ event, evidence: {} }],
    files: [{ name: `repair_iterations/${iterationId}/repair_prompt.md`, content: "Repair it." }],
  }));
}

it("runs the coder once per prepared repair, even if the stage's folder was deleted", async () => {
  let starts = 0;
  const parts = repairPartsIn(root, async () => {
    starts += 1;
    return { stdout: "", stderr: "", reply: "", exitCode: 7, timedOut: false };
  });
  const { signal } = new AbortController();
  for (const [expected, iterationId] of [
    [1, "repair-01"],
    [2, "repair-02"],
  ] as const) {
    await prepare(parts, iterationId);
    const { execution } = await executeRepair(parts, stage, { coder, signal });
    expect(execution).toMatchObject({ coderStatus: "failed", exitCode: 7 });
    expect(starts).toBe(expected);
  }
  await rm(join(root, stage.folder), { recursive: true, force: true });
  await prepare(parts, "repair-02");
  const again = executeRepair(parts, stage, { coder, signal });
  await expect(again).rejects.toMatchObject({ code: "repair-executed" });
});

it("ends the coder when it is stopped by a person, and records it as interrupted", async () => {
  await rm(join(root, stage.folder), { recursive: true, force: true });
  const stop = new AbortController();
  const endless: RunCoder = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      stop.abort();
    });
  const parts = repairPartsIn(root, endless);
  await prepare(parts);
  const { execution } = await executeRepair(parts, stage, { coder, signal: stop.signal });
  expect(execution).toMatchObject({
    coderStatus: "interrupted",
    summary: "the coder was stopped by a person",
  });
});
