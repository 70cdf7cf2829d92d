import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loopFinished, repairPartsIn, supplierStage } from "../../../tests/support/stage-parts.ts";
import type { LoopFinished, StageEvent } from "../../domain/stages/stage-history.ts";
import { loadInbox } from "../runs/inbox.ts";
import { confirmStage, type StageStore } from "./close-stage.ts";
import { listStages } from "./list-stages.ts";
import { recordStage } from "./record-stage.ts";

const stagesFolder = "stage_agent_loops";
const page = { limit: 9 };

async function storeWith(
  ...history: readonly StageEvent[]
): Promise<StageStore & { readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), "signoff-store-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const stage = supplierStage(`${stagesFolder}/suppliers`);
  const loops: LoopFinished[] = [];
  const parts = repairPartsIn(root, undefined, loops);
  await recordStage(parts, stage, () => ({
    entries: history.map((event) => ({ event, evidence: {} })),
  }));
  loops.push(...history.filter((event) => event.kind === "loop-finished"));
  return { ...parts, root, stagesFolder, openStage: () => stage, termsAt: () => undefined };
}

test("an accepted stage waits in the inbox until a person confirms it, once", async () => {
  const store = await storeWith(loopFinished(true));
  const listing = await listStages(store);
  expect(listing).toMatchObject({
    stages: [
      {
        folder: "stage_agent_loops/suppliers",
        isAtWork: false,
        summary: {
          manifest: "stage.yaml",
          nextAction: "manual_gui_confirmation_or_stage_close",
          stageClosingGate: { status: "ready_for_manual_confirmation", reasons: [] },
        },
      },
    ],
    damaged: [],
  });
  const [item] = await loadInbox(undefined, page, listing);
  expect(item).toMatchObject({
    kind: "stage",
    id: "suppliers",
    version: 1,
    commands: ["signoff stage close --manifest stage.yaml"],
  });
  if (item === undefined) throw new Error("nothing waits");
  const next = { ...page, after: item };
  expect(await loadInbox(undefined, next, listing)).toEqual([]);
  const seen = item.version;
  const { decision } = await confirmStage(store, "suppliers", { confirmedBy: "Ada", seen });
  expect(decision).toMatchObject({ kind: "close", event: { confirmedBy: "Ada" } });
  const second = confirmStage(store, "suppliers", { confirmedBy: "Ben", seen });
  await expect(second).rejects.toMatchObject({ code: "stage-moved" });
  const after = await listStages(store);
  expect(after.stages[0]?.summary.stageClosingGate.status).toBe("closed");
  expect(await loadInbox(undefined, page, after)).toEqual([]);
});

test("a confirmation of a stage that is not accepted says why, and closes nothing", async () => {
  const store = await storeWith(loopFinished(false));
  const { decision, state } = await confirmStage(store, "suppliers", { confirmedBy: "Ada" });
  expect(decision).toMatchObject({
    kind: "refuse",
    reasons: ["loop loop-01/iterations/01 was not accepted"],
  });
  expect(state.entries).toHaveLength(1);
});

test("an unknown stage, or one whose manifest now describes another, is not confirmed", async () => {
  const store = await storeWith(loopFinished(true));
  for (const name of ["nobody", "..", "suppliers/../suppliers"]) {
    const attempt = confirmStage(store, name, { confirmedBy: "Ada" });
    await expect(attempt).rejects.toMatchObject({ code: "stage-unknown" });
  }
  const renamed = { ...store, openStage: () => supplierStage(`${stagesFolder}/other`) };
  const attempt = confirmStage(renamed, "suppliers", { confirmedBy: "Ada" });
  await expect(attempt).rejects.toMatchObject({ code: "stage-manifest-moved" });
});

test("a damaged stage is named beside the others, and a stray file is no stage", async () => {
  const store = await storeWith(loopFinished(true));
  const folder = join(store.root, stagesFolder);
  await mkdir(join(folder, "broken"));
  await writeFile(join(folder, "broken", "stage_loop_summary.json"), "{");
  await writeFile(join(folder, ".DS_Store"), "");
  const listing = await listStages(store);
  expect(listing.stages).toHaveLength(1);
  expect(listing.damaged).toMatchObject([{ folder: "stage_agent_loops/broken" }]);
});

test("what a loop asks is the loop's own question; what a coder asks is the stage's", async () => {
  const asks = loopFinished(false, { requiresUserDecision: true });
  const store = await storeWith(asks);
  expect(await loadInbox(undefined, page, await listStages(store))).toHaveLength(1);
  const stage = supplierStage(`${stagesFolder}/suppliers`);
  await recordStage(store, stage, () => ({ openLoop: "loop-01" }));
  expect(await loadInbox(undefined, page, await listStages(store))).toEqual([]);
});
