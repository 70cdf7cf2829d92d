import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../../domain/values/json.ts";
import { ConfigurationError, RunnerError } from "../../../domain/values/workflow-error.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { parseScript } from "./script.ts";
import { createScriptedRunner, type ScriptedRunnerOptions } from "./scripted-runner.ts";

const signal = new AbortController().signal;

function request(role: string, ordinal: number, task: Json = { assetId: "slogan" }): AskRequest {
  return {
    role,
    ordinal,
    task,
    model: "script:replies.json",
    system: "",
    user: "",
    expects: "text",
    settings: {},
    formatVersion: "1",
  };
}

function runnerOf(script: Json, options?: ScriptedRunnerOptions) {
  return createScriptedRunner(parseScript(JSON.stringify(script), "replies.json"), options);
}

async function textOf(script: Json, asked: AskRequest): Promise<string> {
  const attempted = await runnerOf(script).attempt(asked, signal);
  return attempted.kind === "replied" ? attempted.reply.text : "suspended";
}

async function failureOf(work: Promise<unknown>): Promise<RunnerError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RunnerError) return error;
  throw new Error("expected a RunnerError", { cause: error });
}

describe("the scripted runner", () => {
  const shop = { creator: ["Hydrate Green", "Save Our Seas"], reviewer: ["Vague.", "SHIP IT!"] };

  it("answers by role and ordinal, in any order and as often as asked", async () => {
    expect(await textOf(shop, request("reviewer", 1))).toBe("SHIP IT!");
    expect(await textOf(shop, request("creator", 0))).toBe("Hydrate Green");
    expect(await textOf(shop, request("reviewer", 1))).toBe("SHIP IT!");
  });

  it("asks to be asked to sign if it has questions: true", async () => {
    const perAsset = { assets: { slogan: shop }, questions: true };
    for (const script of [{ ...shop, questions: true }, perAsset]) {
      const attempted = await runnerOf(script).attempt(request("reviewer", 0), signal);
      expect(attempted).toMatchObject({ reply: { text: "Vague.", takesQuestions: true } });
    }
  });

  it("bears the fixed time, the model as asked for, and costs nothing", async () => {
    const parts: string[] = [];
    const attempted = await runnerOf(shop).attempt(request("creator", 0), signal, (part) =>
      parts.push(part),
    );
    expect(attempted).toEqual({
      kind: "replied",
      reply: {
        text: "Hydrate Green",
        model: "script:replies.json",
        finish: "complete",
        usage: { input: 0, output: 0, microUsd: 0 },
        startedAt: "2000-01-01T00:00:00Z",
        finishedAt: "2000-01-01T00:00:00Z",
      },
    });
    expect(parts.join("")).toBe("Hydrate Green");
  });

  it("keeps the lists of assets apart", async () => {
    const script = {
      assets: { title: { creator: ["Tides"] }, summary: { creator: ["The sea."] } },
    };
    expect(await textOf(script, request("creator", 0, { assetId: "summary" }))).toBe("The sea.");
    const missing = runnerOf(script).attempt(request("creator", 0, { assetId: "intro" }), signal);
    expect((await failureOf(missing)).message).toContain('asset "intro"; it has: title, summary');
  });

  it("gives a reviewer its own list if there is one, else the common one", async () => {
    const script = { reviewer: ["common"], reviewers: { legal: ["lawful"] } };
    const asked = (label: string) => request("reviewer", 0, { assetId: "title", reviewer: label });
    expect(await textOf(script, asked("legal"))).toBe("lawful");
    expect(await textOf(script, asked("editor"))).toBe("common");
  });

  it("names the role that has no list at all", async () => {
    const error = await failureOf(
      runnerOf({ creator: ["Sip"] }).attempt(request("reviewer", 0), signal),
    );
    expect(error).toMatchObject({ code: "script-role-missing", retryable: false });
    expect(error.message).toContain('role "reviewer"');
  });

  it("says how many replies there were when it runs out, and that trying again is no use", async () => {
    const error = await failureOf(runnerOf(shop).attempt(request("creator", 2), signal));
    expect(error.message).toBe(
      'replies.json ran out: it has 2 replies for role "creator" of asset "slogan", and number 3 was asked for.',
    );
    expect(error).toMatchObject({
      code: "script-exhausted",
      retryable: false,
      facts: { role: "creator", asset: "slogan", replies: 2 },
    });
  });

  it("fails as the script says", async () => {
    const trouble = { $error: { code: "rate_limited", retryable: true, retry_after_ms: 0 } };
    const error = await failureOf(
      runnerOf({ creator: [trouble] }).attempt(request("creator", 0), signal),
    );
    expect(error).toMatchObject({ code: "rate_limited", retryable: true, retryAfterMs: 0 });
  });

  it("does nothing once the call is aborted", async () => {
    const reason = new Error("closing time");
    await expect(
      runnerOf(shop).attempt(request("creator", 0), AbortSignal.abort(reason)),
    ).rejects.toBe(reason);
  });
});

describe("mutate_files", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "signoff-script-"));
  });
  afterEach(() => rm(root, { recursive: true }));

  const attempt = (files: Json) =>
    runnerOf({ creator: [{ content: "x", mutate_files: files }] }, { root }).attempt(
      request("creator", 0),
      signal,
    );

  it("is refused when there is nothing it may change", () => {
    expect(() => runnerOf({ reviewer: [{ mutate_files: { "a.md": "" } }] })).toThrow(
      ConfigurationError,
    );
  });

  it("writes below the root, with folders and a last line end", async () => {
    await attempt({ "notes/sea/tides.md": "High at noon", "episode.yaml": "title: Tides\n" });
    expect(await readFile(join(root, "notes/sea/tides.md"), "utf8")).toBe("High at noon\n");
    expect(await readFile(join(root, "episode.yaml"), "utf8")).toBe("title: Tides\n");
  });

  it.each([
    "/etc/tides.md",
    "C:\\tides.md",
    "../tides.md",
    "notes/../../tides.md",
    "notes\\..\\..\\tides.md",
    "",
    ".",
    "tides\0.md",
    "linked/tides.md",
    "dangling.md",
    "folder",
    "a.md/below.md",
  ])("refuses %j before anything is written", async (path) => {
    await mkdir(join(root, "folder"));
    await symlink(tmpdir(), join(root, "linked"));
    await symlink(join(root, "nowhere"), join(root, "dangling.md"));
    const error = await failureOf(attempt({ "a.md": "first in order", [path]: "hello" }));
    expect(error).toMatchObject({ code: "script-path-refused", retryable: false });
    expect((await readdir(root)).sort()).toEqual(["dangling.md", "folder", "linked"]);
  });

  it("refuses a path that goes through an existing file", async () => {
    await writeFile(join(root, "notes"), "a file");
    expect((await failureOf(attempt({ "notes/tides.md": "x" }))).message).toContain("folder");
  });
});
