import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operateOnStore } from "../../../tests/support/store-surgery.ts";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { openProject, type Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { readEnvironment } from "../../wiring/settings/environment.ts";
import { listRuns } from "../runs/list-runs.ts";
import { deriveStanding } from "./derive-draft.ts";
import { approveDraft } from "./rule-on-draft.ts";
import { startDraft } from "./start-draft.ts";

let root: string;
let project: Project;
const newId = () => crypto.randomUUID();

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "signoff-evidence-"));
  project = await openProject({ root, environment: readEnvironment({}) });
});
afterEach(async () => {
  await project.close();
  rmSync(root, { recursive: true, force: true });
});

/** Two members: the second objects in the first turn, and in the second one too unless it is `signed`. */
async function drafted({ signed, maxTurns = 2 }: { signed: boolean; maxTurns?: number }) {
  const reviewer = ["SHIP IT!", "Too vague.", "SHIP IT!", signed ? "SHIP IT!" : "Still vague."];
  const replies = { creator: ["Sip Smart", "Sip Clean"], reviewer };
  writeFileSync(join(root, "replies.json"), JSON.stringify(replies));
  const model = "script:replies.json";
  const plan = freezeDraft({
    ...{ brief: "water bottles", recipe: await loadRecipe("slogan", root), writer: model },
    reviewers: ["brand", "legal"].map((label) => ({ label, model })),
    maxTurns,
  });
  if (plan.kind !== "planned") throw new Error("refused");
  const { run } = await startDraft(project, { input: plan.input, newId, fresh: true });
  await project.engine.ending(run, new AbortController().signal);
  return run;
}

function source() {
  return runSourceOf(project.store, project.clock);
}

async function standingOf(run: RunId) {
  const standing = await deriveStanding(source(), run);
  const missing = standing?.accepted === false ? standing.missing.map(({ text }) => text) : [];
  return { ...standing, text: missing.join(" ") };
}

const edit = (sql: string): void => operateOnStore(root, sql);

describe("the standing of a draft", () => {
  it("is proven by its replies, and says that a script gave them", async () => {
    expect(await standingOf(await drafted({ signed: true }))).toMatchObject({
      accepted: true,
      support: "proven",
      deciders: ["scripted"],
      why: "“water bottles”: writer and reviewer signed in turn 2",
    });
  });

  it("needs a person where the loop ended without approval", async () => {
    const run = await drafted({ signed: false });
    expect(await standingOf(run)).toMatchObject({
      accepted: false,
      why: "“water bottles”: the loop ended without approval (iteration_limit)",
      missing: [{ command: `signoff runs approve ${run}` }],
    });
    await approve(run);
    expect(await standingOf(run)).toMatchObject({ accepted: true, deciders: ["person"] });
  });

  it("is that of an older rule for replies given under it, until a person approves the text", async () => {
    const run = await drafted({ signed: true });
    edit("UPDATE calls SET format_version = 'drafting/1'");
    expect(await standingOf(run)).toMatchObject({
      accepted: false,
      why: "“water bottles”: approved under rule 1",
    });
    await approve(run);
    expect(await standingOf(run)).toMatchObject({ accepted: true, deciders: ["person"] });
  });
});

describe("a draft that was made to look approved", () => {
  const converged = `replace(replace(%, 'needs_human', 'converged'), 'iteration_limit', 'reviewer_ok_and_creator_done')`;
  const swapped = (column: string) => converged.replace("%", column);

  it.each([
    [
      "by another reply of a reviewer",
      "UPDATE calls SET reply = replace(reply, 'Still vague.', 'SHIP IT!')",
      "The review of turn 2 by legal does not follow from the recorded replies.",
    ],
    [
      "by another decision",
      `UPDATE events SET data = ${swapped("data")} WHERE kind = 'loop-decided'`,
      "The decision does not follow from the recorded replies.",
    ],
    [
      "by another ending",
      `UPDATE runs SET ending = ${swapped("ending")}`,
      "The decision kept with the run does not follow from its turns.",
    ],
    [
      "by another rule for the panel",
      `UPDATE jobs SET input = replace(input, '"panel_rule":"all"', '"panel_rule":"any"')`,
      "The frozen input (brief, recipe and panel) is not the one the run began with.",
    ],
    [
      "by the reply to another question",
      `UPDATE calls SET (value, reply, digest) = (SELECT value, reply, digest FROM calls WHERE key = 'turn/2/candidate/1/review/brand')
       WHERE key = 'turn/2/candidate/1/review/legal'`,
      "The reply at turn/2/candidate/1/review/legal was given to another question.",
    ],
    [
      "by deleting the reply of who objected",
      "DELETE FROM calls WHERE key = 'turn/2/candidate/1/review/legal'",
      "The reply at turn/2/candidate/1/review/legal is missing.",
    ],
    [
      "by deleting the turns after its best one",
      "DELETE FROM events WHERE seq > (SELECT MIN(seq) FROM events WHERE kind = 'iteration-recorded')",
      "The record lacks the text of turn 2.",
    ],
  ])("%s is refused, and what does not fit is named", async (_, sql, text) => {
    const run = await drafted({ signed: false });
    edit(sql);
    expect(await standingOf(run)).toMatchObject({
      accepted: false,
      text,
      missing: [{ command: "signoff draft 'water bottles' --recipe slogan --new" }],
    });
  });

  it("is refused with another text in place of the approved one", async () => {
    const run = await drafted({ signed: true });
    edit(
      "UPDATE events SET data = replace(data, 'Sip Clean', 'Sip Gin') WHERE kind = 'iteration-recorded'",
    );
    expect((await standingOf(run)).text).toBe(
      "The result of turn 2 does not follow from the recorded replies.",
    );
  });

  it("is refused where a person approved another text than the ruling now names", async () => {
    const run = await drafted({ signed: false });
    await approve(run);
    edit("UPDATE rulings SET content = 'Sip Gin'");
    expect((await standingOf(run)).text).toBe(
      "The text that Ada approved is not a text of this run.",
    );
  });

  it("keeps looking approved in lists only by its own record, which is checked", async () => {
    const run = await drafted({ signed: false });
    edit(`UPDATE runs SET ending = ${swapped("ending")}`);
    expect(await listRuns(source(), { limit: 1 })).toMatchObject([{ outcome: "approved" }]);
    expect(await standingOf(run)).toMatchObject({ accepted: false });
  });

  it("has no standing without a decision", async () => {
    expect(await deriveStanding(source(), runId(newId()))).toBeUndefined();
  });
});

async function approve(run: RunId): Promise<void> {
  await approveDraft({ ...project, newId }, run, {
    by: "Ada",
    knownHow: "flag",
    reason: "I like it.",
  });
}
