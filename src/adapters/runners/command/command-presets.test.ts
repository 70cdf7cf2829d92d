import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../../../tests/support/command-runs.ts";
import { ManualClock } from "../../../../tests/support/manual-clock.ts";
import { failureOf, requestFor } from "../../../../tests/support/provider-wires.ts";
import { smallProgram } from "../../../../tests/support/small-programs.ts";
import { commandPresets } from "./command-presets.ts";
import { createCommandRunner } from "./command-runner.ts";

describe("presets", () => {
  const claudeSays = {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "SHIP IT!",
    total_cost_usd: 0.0123,
    usage: {
      input_tokens: 10,
      output_tokens: 20,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 4,
    },
    modelUsage: {
      "claude-haiku-4-5": { outputTokens: 3 },
      "claude-sonnet-4-5-20250929": { outputTokens: 17 },
    },
  };

  /** Puts a stand-in of that name on the path. */
  async function standIn(name: "claude" | "codex", lines: string) {
    const program = await smallProgram(lines);
    const folder = dirname(program);
    await rename(program, join(folder, name));
    const environment = { PATH: `${folder}:/usr/bin:/bin` };
    const runner = createCommandRunner({
      ...commandPresets[name],
      name,
      environment,
      cwd: process.cwd(),
      guard: () => undefined,
      clock: new ManualClock(),
    });
    return { runner, folder };
  }

  it("asks claude without tools and takes text, model, tokens and cost from its envelope", async () => {
    const { runner, folder } = await standIn(
      "claude",
      `printf '%s\\n' "$@" > "$0.args"; cat > "$0.prompt"; echo '${JSON.stringify(claudeSays)}'`,
    );
    const heard: string[] = [];
    const attempted = await runner.attempt(requestFor("command/claude"), open, (part) =>
      heard.push(part),
    );
    expect(attempted).toMatchObject({
      reply: {
        text: "SHIP IT!",
        model: "command/claude:claude-sonnet-4-5-20250929",
        usage: { input: 314, output: 20, cachedInput: 300, microUsd: 12_300 },
      },
    });
    expect(heard).toEqual(["SHIP IT!"]);
    const args = await readFile(join(folder, "claude.args"), "utf8");
    expect(args.split("\n")).toEqual([
      "-p",
      "--output-format",
      "json",
      "--tools",
      "",
      "--strict-mcp-config",
      "",
    ]);
    expect(await readFile(join(folder, "claude.prompt"), "utf8")).toContain("water bottles");
  });

  it.each([
    ["reviewer", "The price is wrong.\n\nSHIP IT!"],
    ["creator", "SHIP IT!"],
  ])("takes from claude's list of events what counts as the reply of a %s", async (role, text) => {
    const message = { content: [{ type: "text", text: "The price is wrong." }] };
    const events = [{ type: "system" }, { type: "assistant", message }, claudeSays];
    const { runner } = await standIn("claude", `cat >/dev/null; echo '${JSON.stringify(events)}'`);
    const asked = { ...requestFor("command/claude"), role };
    expect(await runner.attempt(asked, open)).toMatchObject({ reply: { text } });
  });

  it("asks codex in a sandbox without writing and takes all that a reviewer says", async () => {
    const events = [
      { type: "thread.started", thread_id: "1" },
      { type: "item.completed", item: { id: "0", type: "reasoning", text: "Hmm." } },
      { type: "error", message: "Reconnecting... 1/5" },
      { type: "item.completed", item: { id: "1", type: "agent_message", text: "Let me look." } },
      { type: "item.completed", item: { id: "2", type: "agent_message", text: "SHIP IT!" } },
      {
        type: "turn.completed",
        usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: 9 },
      },
    ];
    const lines = events.map((each) => `echo '${JSON.stringify(each)}'`).join("\n");
    const { runner, folder } = await standIn(
      "codex",
      `printf '%s ' "$@" > "$0.args"; cat > /dev/null; echo noise; ${lines}`,
    );
    expect(await runner.attempt(requestFor("command/codex"), open)).toMatchObject({
      reply: {
        text: "Let me look.\n\nSHIP IT!",
        model: "command/codex",
        usage: { input: 100, output: 9, cachedInput: 60 },
      },
    });
    const asked = { ...requestFor("command/codex"), role: "creator" };
    expect(await runner.attempt(asked, open)).toMatchObject({ reply: { text: "SHIP IT!" } });
    expect(await readFile(join(folder, "codex.args"), "utf8")).toBe(
      "exec --json --sandbox read-only --skip-git-repo-check - ",
    );
  });

  it.each([
    [
      "claude",
      { ...claudeSays, is_error: true, result: "API Error: 529 Overloaded" },
      "overloaded",
      true,
    ],
    [
      "claude",
      { ...claudeSays, is_error: true, result: "Claude usage limit reached" },
      "quota-used-up",
      false,
    ],
    [
      "claude",
      { ...claudeSays, is_error: true, result: "Please run /login" },
      "unauthorized",
      false,
    ],
    ["claude", { type: "result", subtype: "error_max_turns" }, "command-failed", false],
    ["claude", { hello: "world" }, "bad-reply", false],
    [
      "codex",
      { type: "turn.failed", error: { message: "stream disconnected" } },
      "connection-cut",
      true,
    ],
    ["codex", { type: "error", message: "rate limit exceeded" }, "rate-limited", true],
    [
      "codex",
      { type: "item.completed", item: { type: "agent_message", text: "Half" } },
      "bad-reply",
      false,
    ],
  ] as const)("reads a failure of %s: %j", async (name, says, code, retryable) => {
    const { runner } = await standIn(name, `cat > /dev/null; echo '${JSON.stringify(says)}'`);
    const error = await failureOf(runner.attempt(requestFor(`command/${name}`), open));
    expect(error).toMatchObject({ code, retryable });
  });

  it("prefers what the envelope says to the exit code", async () => {
    const says = { ...claudeSays, is_error: true, result: "API Error: 429 rate limit" };
    const { runner } = await standIn(
      "claude",
      `cat > /dev/null; echo '${JSON.stringify(says)}'; exit 1`,
    );
    const error = await failureOf(runner.attempt(requestFor("command/claude"), open));
    expect(error).toMatchObject({ code: "rate-limited", retryable: true });
  });

  it("does not count a good envelope of a command that failed", async () => {
    const { runner } = await standIn(
      "claude",
      `cat > /dev/null; echo '${JSON.stringify(claudeSays)}'; exit 1`,
    );
    const error = await failureOf(runner.attempt(requestFor("command/claude"), open));
    expect(error).toMatchObject({ code: "command-failed" });
  });

  it("reads a list of events that ends with the result", async () => {
    const says = [{ type: "system" }, claudeSays];
    const { runner } = await standIn("claude", `cat > /dev/null; echo '${JSON.stringify(says)}'`);
    expect(await runner.attempt(requestFor("command/claude"), open)).toMatchObject({
      reply: { text: "SHIP IT!" },
    });
  });
});
