import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import {
  AgentError,
  ApprovalTimeoutError,
  ConfigurationError,
  reviewText,
  runDraft,
  runDraftUntilApproved,
  runStage,
  type StageOptions,
  succeeded,
} from "../../src/index.ts";
import { createScriptedRunner, openMemoryStore, parseScript } from "../../src/testing/index.ts";
import { openModelServer } from "../support/model-servers.ts";
import { compatibleWire } from "../support/provider-wires.ts";
import { perfectVerdict } from "../support/shop-stories.ts";
import { runSignoff } from "../support/signoff-process.ts";
import { sparePort } from "../support/spare-port.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signoff-library-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const brief = "a night train to Lisbon";
const writes = () => "Sleep to Lisbon";
const signs = () => "SHIP IT!";

describe("a model", () => {
  it("can be a function", async () => {
    const asked: string[] = [];
    const session = await runDraft({
      ...{ brief, directory },
      models: {
        writer: async function poet({ user }) {
          asked.push(user);
          return "Sleep to Lisbon";
        },
        reviewer: signs,
      },
    });
    expect(session).toMatchObject({
      finalText: "Sleep to Lisbon",
      modelName: "own/poet",
      reviewerModels: ["own/signs"],
      deciders: ["model"],
    });
    expect(asked[0]).toContain(brief);
    const resumed = await runSignoff(["verify", session.runId], { cwd: directory });
    expect(resumed.code).toBe(0);
  });

  it("can be a model of the AI SDK", async () => {
    const story = { writer: ["Sleep to Lisbon"], reviewer: ["SHIP IT!"] };
    const server = await openModelServer({ wire: compatibleWire, story });
    const lab = createOpenAICompatible({ name: "lab", baseURL: `${server.url}/v1` });
    const model = lab.chatModel("bottle-7b");
    const models = { writer: model, reviewer: model };
    const session = await runDraft({ brief, directory, inMemory: true, models });
    expect(succeeded(session)).toBe(true);
    expect(session.modelName).toBe("own/lab.chat/bottle-7b");
    expect(session.usage.inputTokens).toBeGreaterThan(0);
    expect(server.asked).toHaveLength(2);
  });

  it("can be a runner of the caller's own, and the record a store of its own", async () => {
    const replies = { creator: ["Sleep to Lisbon"], reviewer: ["SHIP IT!"] };
    const runner = createScriptedRunner(parseScript(JSON.stringify(replies), "replies.json"));
    const store = openMemoryStore();
    const session = await runDraft({ brief, store, models: { writer: runner, reviewer: runner } });
    expect(session).toMatchObject({ finalText: "Sleep to Lisbon", completionReason: "approved" });
    expect(await store.runs.load(session.runId as never)).toMatchObject({ state: "finished" });
    store.close();
  });

  it("of an older AI SDK is refused in a sentence", async () => {
    const old = {
      ...{ specificationVersion: "v2", provider: "lab", modelId: "bottle-7b" },
      doStream: () => Promise.reject(new Error("never asked")),
    };
    const draft = runDraft({ brief, inMemory: true, models: { writer: old } });
    await expect(draft).rejects.toMatchObject({
      code: "bad-model",
      message: expect.stringContaining("version v2"),
    });
  });

  it("must be named: no stand-in signs by default", async () => {
    const draft = runDraft({ brief, directory });
    await expect(draft).rejects.toMatchObject({ code: "no-model" });
    await expect(draft).rejects.toBeInstanceOf(ConfigurationError);
  });

  it("is asked what it is once in a process, however many runs there are", async () => {
    const story = { writer: ["Sleep to Lisbon"], reviewer: ["SHIP IT!"] };
    const server = await openModelServer({ story });
    const models = { writer: "ollama/mistral" };
    for (const about of ["a train", "a bus", "a boat"]) {
      const options = { brief: about, directory, models, baseUrl: server.url };
      expect(succeeded(await runDraft(options))).toBe(true);
    }
    expect(server.seen.filter(({ path }) => path === "/api/show")).toHaveLength(1);
  });
});

describe("a text of the caller's own", () => {
  it("is the first draft, with the material that came with it", async () => {
    const asked: string[] = [];
    const reviewer = ({ user }: { readonly user: string }) => {
      asked.push(user);
      return asked.length === 1 ? "Say how." : "SHIP IT!";
    };
    const context = [{ name: "fares.txt", text: "From 39 euros." }];
    const models = { writer: writes, reviewer };
    const session = await runDraft({ from: "Wake in Lisbon", context, inMemory: true, models });
    expect(session.turns.map(({ text }) => text)).toEqual(["Wake in Lisbon", "Sleep to Lisbon"]);
    expect(asked.every((prompt) => prompt.includes("From 39 euros."))).toBe(true);
  });

  it("can be reviewed without being written on", async () => {
    const options = { text: "Wake in Lisbon", brief, recipe: "slogan", inMemory: true };
    expect(succeeded(await reviewText({ ...options, model: signs }))).toBe(true);
    const no = await reviewText({ ...options, model: () => "Say how." });
    expect(no).toMatchObject({ turns: [{ text: "Wake in Lisbon", feedback: "Say how." }] });
    expect(succeeded(no)).toBe(false);
  });
});

function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

describe("an error", () => {
  it("says that a model could not be asked, and why", async () => {
    const baseUrl = `http://127.0.0.1:${await sparePort()}`;
    const models = { writer: "ollama/mistral" };
    const draft = runDraftUntilApproved({ brief, directory, models, baseUrl, attempts: 1 });
    const error = await draft.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AgentError);
    expect(error).not.toBeInstanceOf(ApprovalTimeoutError);
    expect(error).toMatchObject({ message: expect.stringContaining(baseUrl) });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  it("of a function is the cause of the one that is thrown", async () => {
    const boom = new Error("out of paper");
    const models = {
      writer: () => {
        throw boom;
      },
      reviewer: signs,
    };
    const draft = runDraftUntilApproved({ brief, inMemory: true, models });
    await expect(draft).rejects.toMatchObject({
      message: expect.stringContaining("out of paper"),
    });
    await expect(draft).rejects.toBeInstanceOf(AgentError);
    expect(causesOf(await draft.catch((thrown: unknown) => thrown))).toContain(boom);
  });

  it("is an approval that did not come only when the loop was decided", async () => {
    const models = { writer: writes, reviewer: () => "Say how." };
    const draft = runDraftUntilApproved({ brief, inMemory: true, models, maxTurns: 1 });
    await expect(draft).rejects.toBeInstanceOf(ApprovalTimeoutError);
  });
});

it.each<[string, object, string]>([
  ["a name", { modles: {} }, "modles is not a known key (did you mean models?)"],
  ["a panel in the wrong place", { models: { reviewers: [] } }, "models.reviewers is not a known"],
  ["an amount", { budget: { usd: 1 } }, "budget.usd is not a known key (known: microUsd,"],
  ["a text", { brief: 3 }, "brief must be text"],
  ["material", { context: "brief.md" }, "context must be a list"],
  ["a model", { models: { writer: 3 } }, "models.writer must be a model: a name, a function,"],
])("an option that is mistyped is refused: %s", async (_, mistyped, words) => {
  const options = { brief, inMemory: true, models: { writer: writes, reviewer: signs } };
  const drafted = runDraft({ ...options, ...mistyped });
  await expect(drafted).rejects.toThrow(`The options of runDraft cannot be used: ${words}`);
  await expect(drafted).rejects.toBeInstanceOf(ConfigurationError);
});

it("a job without what it needs is refused", async () => {
  await expect(runStage({} as StageOptions)).rejects.toThrow(
    "runStage cannot be used: manifest is",
  );
  await expect(runDraft(undefined as never)).rejects.toThrow("brief is empty");
});

it("a job whose signal was aborted before begins nothing, and says so", async () => {
  const models = { writer: writes, reviewer: signs };
  const signal = AbortSignal.abort();
  await expect(runDraft({ brief, directory, models, signal })).rejects.toMatchObject({
    ...{ name: "WorkflowError", code: "interrupted", cause: signal.reason },
  });
});

it("a run that was aborted is interrupted, not cancelled, and can be resumed", async () => {
  const stop = new AbortController();
  const writer = () => {
    stop.abort();
    return "Sleep to Lisbon";
  };
  const first = await runDraft({
    ...{ brief, directory, signal: stop.signal },
    models: { writer, reviewer: signs },
  });
  expect(first.completionReason).toBe("interrupted");
  const models = { writer, reviewer: signs };
  const again = await runDraft({ brief, directory, models });
  expect(again).toMatchObject({ runId: first.runId, completionReason: "approved" });
});

describe("a stage", () => {
  it("can be judged by a function", async () => {
    const { report, roles } = await playStage();
    expect(report).toMatchObject({ stageId: "shop_answers" });
    expect(roles).toContain("analyst");
  });

  it.each([
    ["of the settings", "version: 1\nlimits:\n  budget:\n    tokens: 1\n", {}],
    ["of the call", "version: 1\n", { budget: { tokens: 1 } }],
  ])("keeps the budget %s", async (_, settings, options) => {
    writeFileSync(join(directory, "signoff.yaml"), settings);
    const { report, roles } = await playStage(options);
    expect(roles).toEqual([]);
    expect(report.acceptedGate).toBe(false);
  });
});

async function playStage(options: Pick<StageOptions, "budget"> = {}) {
  for (const name of ["scenario-pack", "stage"]) {
    cpSync(join("examples", name), join(directory, name), { recursive: true });
  }
  const shop = await startDemoAssistant({});
  const roles: string[] = [];
  try {
    const report = await runStage({
      ...{ directory, manifest: join(directory, "stage/stage.yaml"), assistantUrl: shop.url },
      ...options,
      analyst: ({ role, replySchema }) => {
        roles.push(role);
        expect(replySchema).toHaveProperty("properties.quality_score");
        return JSON.stringify({ ...perfectVerdict, summary: "" });
      },
    });
    return { report, roles };
  } finally {
    await shop.close();
  }
}
