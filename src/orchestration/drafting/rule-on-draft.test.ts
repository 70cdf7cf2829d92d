import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { openProject, type Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { readEnvironment } from "../../wiring/settings/environment.ts";
import { loadInbox } from "../runs/inbox.ts";
import { deriveStanding } from "./derive-draft.ts";
import { loadSession } from "./load-session.ts";
import { approveDraft, editDraft, type RulingParts, requestChanges } from "./rule-on-draft.ts";
import { startDraft } from "./start-draft.ts";

let root: string;
let project: Project;
let ids = 0;
const ada = { by: "Ada", knownHow: "flag" };

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "signoff-rulings-"));
  project = await openProject({ root, environment: readEnvironment({}) });
});
afterEach(async () => {
  await project.close();
  rmSync(root, { recursive: true, force: true });
});

function parts(): RulingParts {
  return { ...project, newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}` };
}

async function draft(replies: { creator: string[]; reviewer: string[] }, maxTurns: number) {
  const creator = ["Sip Smart", "Sip Clean", ...replies.creator];
  const reviewer = ["Too vague.", "Still vague.", ...replies.reviewer];
  writeFileSync(join(root, "replies.json"), JSON.stringify({ creator, reviewer }));
  const model = "script:replies.json";
  const plan = freezeDraft({
    ...{ brief: "water bottles", recipe: await loadRecipe("slogan", root), writer: model },
    reviewers: [{ model }],
    maxTurns,
  });
  if (plan.kind !== "planned") throw new Error("refused");
  const settings = { timeout: 7 };
  const { run } = await startDraft(project, { input: plan.input, newId: parts().newId, settings });
  await ended(run);
  return run;
}

function standingOf(run: RunId) {
  return deriveStanding(runSourceOf(project.store, project.clock), run);
}

function ended(run: RunId) {
  return project.engine.ending(run, new AbortController().signal);
}

describe("a person's ruling on an ended loop", () => {
  it("approves a text without touching the loop's decision, and says who did it", async () => {
    const run = await draft({ creator: [], reviewer: [] }, 2);
    const before = (await loadSession(project.store, run))?.session?.decision;
    const ruling = await approveDraft(parts(), run, {
      ...ada,
      reason: "the client loves it",
      turn: 1,
    });
    expect(ruling).toMatchObject({ number: 1, act: "approve", by: "Ada", text: "Sip Smart" });
    const after = (await loadSession(project.store, run))?.session?.decision;
    expect(after).toEqual(before);
    expect(after).toMatchObject({ outcome: "needs_human", reason: "iteration_limit" });
    const folder = join(root, project.files.location(run));
    expect(readFileSync(join(folder, "approved.txt"), "utf8")).toBe("Sip Smart\n");
    expect(JSON.parse(readFileSync(join(folder, "rulings.json"), "utf8"))).toMatchObject({
      rulings: [{ act: "approve", by: "Ada", known_how: "flag", reason: "the client loves it" }],
    });
  });

  it("takes the loop out of the inbox", async () => {
    const run = await draft({ creator: [], reviewer: [] }, 2);
    const source = runSourceOf(project.store, project.clock);
    expect((await loadInbox(source, { limit: 9 }, { stages: [] })).map(({ id }) => id)).toEqual([
      run,
    ]);
    await approveDraft(parts(), run, { ...ada, reason: "fine" });
    expect(await loadInbox(source, { limit: 9 }, { stages: [] })).toEqual([]);
  });

  it("continues after the last turn with the comment as the person's objection", async () => {
    const run = await draft({ creator: [], reviewer: [] }, 2);
    // Scripted replies are counted per run, so the next generation begins with the first ones again.
    writeFileSync(
      join(root, "replies.json"),
      JSON.stringify({ creator: ["Refill. Repeat."], reviewer: ["SHIP IT!"] }),
    );
    await project.close();
    project = await openProject({ root, environment: readEnvironment({}) });
    const { next } = await requestChanges(parts(), run, { ...ada, comment: "Mention refilling." });
    expect((await ended(next)).kind).toBe("finished");
    const loaded = await loadSession(project.store, next);
    expect(loaded?.session).toMatchObject({
      completionReason: "approved",
      finalText: "Refill. Repeat.",
    });
    expect(loaded?.session?.turns.map(({ turnNumber }) => turnNumber)).toEqual([3]);
    const facts = await project.store.runs.facts(next, "turn/3/candidate/1/create" as never);
    expect(facts?.user).toContain("Mention refilling.");
    expect(loaded?.record.settings).toEqual({ timeout: 7 });
    expect(await standingOf(next)).toMatchObject({ accepted: true, support: "proven" });
    expect(await standingOf(run)).toMatchObject({ accepted: false });
  });

  it("has a person's own text checked and reviewed like any other", async () => {
    const run = await draft({ creator: [], reviewer: [] }, 2);
    writeFileSync(
      join(root, "replies.json"),
      JSON.stringify({ creator: ["Refill, rejoice."], reviewer: ["Too plain.", "SHIP IT!"] }),
    );
    await project.close();
    project = await openProject({ root, environment: readEnvironment({}) });
    const { next } = await editDraft(parts(), run, { ...ada, text: "Drink. Refill. Repeat.\n" });
    await ended(next);
    const loaded = await loadSession(project.store, next);
    expect(loaded?.session?.turns.map(({ text, approved }) => [text, approved])).toEqual([
      ["Drink. Refill. Repeat.", false],
      ["Refill, rejoice.", true],
    ]);
    expect(await standingOf(next)).toMatchObject({ accepted: true, support: "proven" });
    expect(loaded?.iterations[0]?.candidate.provenance).toContainEqual({
      kind: "person",
      ref: "Ada",
      metadata: {},
    });
  });

  it("leaves the loop in the inbox when the process dies before the next generation exists", async () => {
    const run = await draft({ creator: [], reviewer: [] }, 2);
    const source = runSourceOf(project.store, project.clock);
    const dies = Object.assign(Object.create(project.engine), {
      submit: () => Promise.reject(new Error("killed")),
    });
    const act = { ...ada, comment: "Mention refilling." };
    await expect(requestChanges({ ...parts(), engine: dies }, run, act)).rejects.toThrow("killed");
    expect(await loadInbox(source, { limit: 9 }, { stages: [] })).toMatchObject([
      { id: run, version: 1 },
    ]);
    const { next } = await requestChanges(parts(), run, { ...act, ifVersion: 1 });
    await ended(next);
    expect(
      (await loadInbox(source, { limit: 9 }, { stages: [] })).map(({ id }) => id),
    ).not.toContain(run);
  });

  it("is refused while the loop has come to no decision", async () => {
    const run = await draft({ creator: [], reviewer: [] }, 3);
    await expect(approveDraft(parts(), run, { ...ada, reason: "now" })).rejects.toMatchObject({
      code: "run-undecided",
    });
  });
});
