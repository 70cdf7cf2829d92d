import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { openProject, type Project } from "../../wiring/project/project.ts";
import { removeRecord } from "../../wiring/project/remove-record.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { readEnvironment } from "../../wiring/settings/environment.ts";
import { startDraft } from "../drafting/start-draft.ts";
import { adoptRuns } from "./adopt-runs.ts";
import { cancelRun } from "./cancel-run.ts";
import { pruneRuns, type RemovalParts, removeRun } from "./remove-runs.ts";

const names = ["one", "two", "three"].map((_, at) =>
  runId(`00000000-0000-4000-8000-00000000000${at}`),
);
const tomorrow = instant("2100-01-01T00:00:00.000Z");

let root: string;
let open: Project[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signoff-unlucky-"));
  open = [];
  const replies = { creator: ["Refill. Repeat."], reviewer: ["SHIP IT!"] };
  writeFileSync(join(root, "replies.json"), JSON.stringify(replies));
});
afterEach(async () => {
  for (const project of open) await project.close();
  rmSync(root, { recursive: true, force: true });
});

/** Another process of the same project, as far as the store can tell. */
async function another(): Promise<Project> {
  const project = await openProject({ root, environment: readEnvironment({}) });
  open.push(project);
  return project;
}

async function bottles(project: Project, run: RunId, fresh = false) {
  const model = "script:replies.json";
  const recipe = await loadRecipe("slogan", root);
  const plan = freezeDraft({
    ...{ brief: "water bottles", recipe, writer: model, maxTurns: 1 },
    reviewers: [{ model }],
  });
  if (plan.kind !== "planned") throw new Error("refused");
  return startDraft(project, { input: plan.input, newId: () => run, run, fresh });
}

function ended(project: Project, run: RunId) {
  return project.engine.ending(run, new AbortController().signal);
}

async function finished(project: Project, run: RunId): Promise<void> {
  await bottles(project, run, true);
  expect(await ended(project, run)).toMatchObject({ kind: "finished" });
}

async function interrupted(run: RunId): Promise<void> {
  const project = await another();
  project.engine.interrupt("finish");
  await bottles(project, run, true);
  expect(await ended(project, run)).toMatchObject({ kind: "stopped" });
}

function removalParts({ store, clock }: Project): RemovalParts {
  return { ...runSourceOf(store, clock), removeRecord: (run) => removeRecord(root, run) };
}

it("a studio adopts what is left when others have finished or removed the rest since it looked", async () => {
  for (const run of names) await interrupted(run);
  const [first, second, third] = names as [RunId, RunId, RunId];
  const [quick, studio] = [await another(), await another()];
  vi.spyOn(studio.engine, "resume").mockImplementationOnce(async (...given) => {
    for (const run of [first, third]) {
      await quick.engine.resume(run, {});
      await ended(quick, run);
    }
    await removeRun(removalParts(quick), third);
    return studio.engine.resume(...given);
  });
  const source = runSourceOf(studio.store, studio.clock);
  expect(await adoptRuns(source, studio.engine)).toEqual([second]);
  expect(await ended(studio, second)).toMatchObject({ kind: "finished" });
});

it("two concurrent prunes remove each run once, and keep a run that was resumed", async () => {
  const [first, second, third] = names as [RunId, RunId, RunId];
  const [quick, slow] = [await another(), await another()];
  await finished(quick, first);
  await finished(quick, second);
  await interrupted(third);
  const how = { before: tomorrow, keepAccepted: false, dryRun: false };
  const parts = removalParts(slow);
  const removeSlowly = vi.fn(async (run: RunId) => {
    if (removeSlowly.mock.calls.length > 1) return parts.removeRecord(run);
    await removeRun(removalParts(quick), second);
    quick.engine.interrupt("finish");
    await quick.store.runs.reopen(third, {});
  });
  expect(await pruneRuns({ ...parts, removeRecord: removeSlowly }, how)).toEqual([first]);
  expect(await slow.store.runs.load(third)).toMatchObject({ state: "queued" });
});

it("a draft whose unfinished run is removed while it is found begins anew", async () => {
  const [old, fresh] = names as [RunId, RunId];
  await interrupted(old);
  const [cleaner, writer] = [await another(), await another()];
  vi.spyOn(writer.engine, "resume").mockImplementationOnce(async (...given) => {
    await removeRun(removalParts(cleaner), old);
    return writer.engine.resume(...given);
  });
  expect(await bottles(writer, fresh)).toEqual({ run: fresh, continued: false });
  expect(await ended(writer, fresh)).toMatchObject({ kind: "finished" });
});

it("a run that finishes while it is cancelled is not said to be cancelled", async () => {
  const [run] = names as [RunId];
  await interrupted(run);
  const [quick, late] = [await another(), await another()];
  vi.spyOn(late.engine, "cancel").mockImplementationOnce(async (...given) => {
    await quick.engine.resume(run, {});
    await ended(quick, run);
    return late.engine.cancel(...given);
  });
  await expect(cancelRun(late, run, "not wanted")).rejects.toMatchObject({
    code: "run-over",
    facts: { state: "finished" },
  });
});
