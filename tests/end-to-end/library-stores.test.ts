import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import {
  AgentError,
  type AskRequest,
  checkNotes,
  type Instant,
  type Json,
  type Runner,
  RunnerError,
  reviewEpisode,
  reviewNotes,
  runDraft,
  runDraftUntilApproved,
  runPack,
  runStage,
  stageStatus,
  writeGateReviews,
} from "../../src/index.ts";
import {
  reviewConformance,
  runnerConformance,
  runStoreConformance,
  storeConformance,
} from "../../src/testing/index.ts";
import { openModelServer } from "../support/model-servers.ts";
import { NotesRepository } from "../support/notes-repository.ts";
import { openOwnStore } from "../support/own-store/open-own-store.ts";
import { compatibleWire } from "../support/provider-wires.ts";
import { perfectVerdict } from "../support/shop-stories.ts";
import { runSignoff } from "../support/signoff-process.ts";

let directory: string;
let store: ReturnType<typeof openOwnStore>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signoff-stores-"));
  store = openOwnStore();
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The kit's own name of a run: a session has it as a text. */
const runId = ({ runId: id }: { readonly runId: string }) =>
  id as Parameters<typeof store.runs.load>[0];
const database = (root = directory) => join(root, ".signoff", "signoff.db");
const kinds = () =>
  store.read(async ({ runs }) =>
    (await runs.list({ limit: 9, topOnly: true })).map(({ kind, state }) => `${kind} ${state}`),
  );

describe("a store of a third party", () => {
  it.each(runStoreConformance)("keeps runs: $title", ({ run }) => run(openOwnStore().runs));
  it.each(storeConformance)("keeps rows: $title", ({ run }) => run(openOwnStore()));
  it.each(reviewConformance)("keeps reviews: $title", ({ run }) => run(openOwnStore()));
});

/** A runner of a third party: it answers from what it is asked, and streams what it answers. */
const ownRunner: Runner = {
  attempt: async ({ role, model, user }, signal, onText) => {
    signal.throwIfAborted();
    const startedAt = new Date().toISOString() as Instant;
    const feedback = user.includes("Say how one gets there.");
    const written = feedback ? "Sleep to Lisbon by night train" : "Wake up in Lisbon";
    const judged = user.includes("by night train") ? "SHIP IT!" : "Say how one gets there.";
    const text = role === "reviewer" ? judged : written;
    for (const word of text.split(/(?<= )/u)) onText?.(word);
    const times = { startedAt, finishedAt: new Date().toISOString() as Instant };
    const usage = { input: Math.ceil(user.length / 4), output: Math.ceil(text.length / 4) };
    return { kind: "replied", reply: { text, model, finish: "complete", usage, ...times } };
  },
};

describe("a runner of a third party", () => {
  it.each(runnerConformance)("$title", ({ run }) => run({ runner: ownRunner }));

  it("drives a draft to approval on a store of a third party", async () => {
    const models = { writer: ownRunner, reviewer: ownRunner };
    const about = { brief: "a trip to Lisbon", directory, store, models };
    const session = await runDraftUntilApproved(about);
    expect(
      session.turns.map(({ text, feedback, approved }) => ({ text, feedback, approved })),
    ).toEqual([
      { text: "Wake up in Lisbon", feedback: "Say how one gets there.", approved: false },
      { text: "Sleep to Lisbon by night train", feedback: undefined, approved: true },
    ]);
    expect(session.usage).toMatchObject({ calls: 4, replayed: 0 });
    expect(await kinds()).toEqual(["draft finished"]);
    const [totals] = await store.read(({ ledger }) => ledger.totals(runId(session)));
    expect(totals).toMatchObject({ attempts: 2, replied: 2 });
  });

  it("is asked nothing twice when a draft goes on after a failure", async () => {
    const asked: string[] = [];
    let isDown = true;
    const runner: Runner = {
      attempt: (request, signal, onText) => {
        if (request.role === "reviewer" && isDown) throw new RunnerError("down", { code: "down" });
        asked.push(request.role);
        return ownRunner.attempt(request, signal, onText);
      },
    };
    const models = { writer: runner, reviewer: runner };
    const about = { brief: "a trip to Lisbon", directory, store, models, attempts: 1 };
    await expect(runDraftUntilApproved(about)).rejects.toBeInstanceOf(AgentError);
    isDown = false;
    expect((await runDraftUntilApproved(about)).turns).toHaveLength(2);
    expect(asked).toHaveLength(4);
  });
});

describe("a store of the caller's keeps the record of", () => {
  it("a draft", async () => {
    const models = { writer: () => "Sleep to Lisbon", reviewer: () => "SHIP IT!" };
    await runDraft({ brief: "a night train", directory, store, models });
    expect(await kinds()).toEqual(["draft finished"]);
    expect(existsSync(join(directory, ".signoff"))).toBe(false);
  });

  it("an episode, whose texts are files all the same", async () => {
    cpSync(join("examples", "episode"), directory, { recursive: true });
    const workspace = join(directory, "episodes", "long_shelf_12");
    await runSignoff(["episode", "init", "--episode-id", "long_shelf_12"], { cwd: directory });
    const files = ["--transcript", "../../transcript.txt", "--chapters", "../../chapters.txt"];
    await runSignoff(["episode", "add", ...files], { cwd: workspace });
    await runSignoff(["episode", "chunk"], { cwd: workspace });
    rmSync(join(workspace, ".signoff"), { recursive: true, force: true });
    const asked: string[] = [];
    const about = { workspace, assetIds: ["slug"], store };
    const reviewed = {
      ...about,
      model: () => JSON.stringify({ content: "long-shelf-12", done: true, answers: [] }),
      reviewerModel: ({ role }: AskRequest) => {
        asked.push(role);
        return JSON.stringify({ verdict: "ok" });
      },
    };
    const status = await reviewEpisode(reviewed);
    const state = status.assets.find(({ assetId }) => assetId === "slug")?.state;
    expect(state).toBe("signed");
    expect(asked).toHaveLength(1);
    expect(store.recorded).toContain("own/reviewerModel");
    expect(existsSync(database(workspace))).toBe(false);
  });

  it("notes, whose lock is a file all the same", async () => {
    const shop = new NotesRepository();
    shop.note("hours", "The shop opens at seven.");
    shop.gate("prose/plain", "Warn for long words.");
    shop.commit();
    const calls: Json[] = [];
    function house({ task }: AskRequest) {
      calls.push(task);
      const review = { decision: "pass", summary: "Says it plainly.", findings: [] } as const;
      return writeGateReviews(task as never, () => review);
    }
    const about = { directory: shop.root, models: [house], store };
    try {
      expect((await checkNotes(about)).passed).toBe(false);
      await reviewNotes(about);
      expect((await checkNotes(about)).passed).toBe(true);
      expect(calls).toHaveLength(1);
      expect(store.recorded).toEqual(["own/house"]);
      expect(existsSync(database(shop.root))).toBe(false);
      expect(shop.read("signoff.lock")).toContain("notes/hours.md");
    } finally {
      shop.remove();
    }
  });

  it("a pack that an analyst of the AI SDK judges, and a stage", async () => {
    for (const name of ["scenario-pack", "stage"]) {
      cpSync(join("examples", name), join(directory, name), { recursive: true });
    }
    const shop = await startDemoAssistant({});
    const verdict = JSON.stringify({ ...perfectVerdict, summary: "" });
    const server = await openModelServer({
      ...{ wire: compatibleWire, story: { writer: [verdict], reviewer: [verdict] } },
    });
    const lab = createOpenAICompatible({ name: "lab", baseURL: `${server.url}/v1` });
    const analyst = lab.chatModel("judge-7b");
    const about = { directory, assistantUrl: shop.url, store, analyst };
    try {
      const manifest = join(directory, "scenario-pack", "pack.yaml");
      const report = await runPack({ ...about, manifest });
      expect(report).toMatchObject({ accepted: true });
      expect(store.recorded).toEqual(["own/lab.chat/judge-7b"]);
      expect(await kinds()).toEqual(["pack-loop finished"]);
      const stage = { ...about, manifest: join(directory, "stage", "stage.yaml") };
      const before = await stageStatus(stage);
      const after = await runStage(stage);
      expect(after.nextAction).not.toBe(before.nextAction);
      expect(await stageStatus(stage)).toEqual(after);
      expect(existsSync(database())).toBe(false);
    } finally {
      await shop.close();
    }
  });

  it("an open dialogue, whose user is a function", async () => {
    const shop = await startDemoAssistant({});
    const manifest = join(directory, "talk.yaml");
    writeFileSync(
      manifest,
      `pack_id: talk
domain: shop
scenarios:
  - scenario_id: summer
    domain: stock
    user: { persona: An office manager., goal: How many Oak desk were in stock?, max_turns: 2 }
`,
    );
    const user = () => JSON.stringify({ goal: "given_up", why: "It does not know." });
    try {
      const report = await runPack({ directory, manifest, assistantUrl: shop.url, store, user });
      expect(report.accepted).toBe(false);
      expect(store.recorded).toContain("own/user");
      const page = join(directory, report.folder, "scenarios/summer/final_status.md");
      expect(readFileSync(page, "utf8")).toContain("It does not know.");
    } finally {
      await shop.close();
    }
  });
});
