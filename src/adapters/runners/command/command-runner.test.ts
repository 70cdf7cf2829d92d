import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../../tests/support/manual-clock.ts";
import { failureOf, requestFor } from "../../../../tests/support/provider-wires.ts";
import { isGone, smallProgram } from "../../../../tests/support/small-programs.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Reply } from "../../../ports/runner.ts";
import { commandPresets } from "./command-presets.ts";
import { type CommandSettings, createCommandRunner } from "./command-runner.ts";

const open = new AbortController().signal;
const request = requestFor("command/agent");

function settingsFor(
  argv: readonly string[],
  more: Partial<CommandSettings> = {},
): CommandSettings {
  return {
    name: "agent",
    argv,
    reads: "text",
    passes: [],
    seconds: 900,
    clock: new ManualClock(),
    environment: { PATH: "/usr/bin:/bin" },
    cwd: process.cwd(),
    guard: () => undefined,
    ...more,
  };
}

async function runnerOf(lines: string, more: Partial<CommandSettings> = {}) {
  return createCommandRunner(settingsFor([await smallProgram(lines)], more));
}

async function replyOf(lines: string, more: Partial<CommandSettings> = {}): Promise<Reply> {
  const attempted = await (await runnerOf(lines, more)).attempt(request, open);
  return (attempted as unknown as { readonly reply: Reply }).reply;
}

async function errorOf(lines: string, more: Partial<CommandSettings> = {}) {
  return failureOf((await runnerOf(lines, more)).attempt(request, open));
}

/** Waits for what other processes do; the machine may be busy. */
function soon(happened: () => unknown) {
  return vi.waitFor(happened, { timeout: 60_000, interval: 10 });
}

/** Starts the program and hands over what it prints first: by then it runs. */
async function begun(lines: string, more: Partial<CommandSettings> = {}) {
  const runner = await runnerOf(lines, more);
  const stop = new AbortController();
  let ending: Promise<unknown> | undefined;
  const printed = await new Promise<string>((heard) => {
    let text = "";
    ending = runner.attempt(request, stop.signal, (part) => {
      text += part;
      if (text.includes("\n")) heard(text);
    });
    ending.catch((thrown: unknown) => heard(String(thrown)));
  });
  return { pids: printed.trim().split(" ").map(Number), stop, ending: ending! };
}

describe("createCommandRunner", () => {
  it("gives the prompt on standard input and returns what is printed", async () => {
    const reply = await replyOf("cat; printf ' [%s]' \"$#\"");
    expect(reply).toMatchObject({
      text: "You write slogans for the shop.\n\nCreate a slogan for: eco-friendly water bottles [0]",
      model: "command/agent",
      finish: "complete",
    });
    expect(reply.usage).toBeUndefined();
  });

  it("passes arguments as they are, since no shell reads them", async () => {
    const program = await smallProgram("cat >/dev/null; printf '<%s>' \"$@\"");
    const argv = [program, "$(id)", "; rm -rf /", "", "two words", "*"];
    const attempted = await createCommandRunner(settingsFor(argv)).attempt(request, open);
    expect(attempted).toMatchObject({
      reply: { text: "<$(id)><; rm -rf /><><two words><*>" },
    });
  });

  it("shows the command what it passes and what is harmless, and nothing else", async () => {
    const reply = await replyOf("cat >/dev/null; env", {
      passes: ["SHOP_TOKEN"],
      environment: {
        PATH: "/usr/bin:/bin",
        HOME: "/home/ada",
        LC_ALL: "C.UTF-8",
        SHOP_TOKEN: "needed",
        OPENAI_API_KEY: "not for you",
        AWS_SECRET_ACCESS_KEY: "not for you",
        SIGNOFF_LOG_LEVEL: "not for you",
      },
    });
    expect(reply.text).toContain("SHOP_TOKEN=needed");
    expect(reply.text).toContain("HOME=/home/ada");
    expect(reply.text).not.toContain("not for you");
  });

  it("streams text as it is printed, letters whole", async () => {
    const heard: string[] = [];
    const runner = await runnerOf("cat >/dev/null; printf 'Gr\\303'; printf '\\274n'");
    await runner.attempt(request, open, (part) => heard.push(part));
    expect(heard.join("")).toBe("Grün");
  });

  it("does not mind a command that never reads a long prompt", async () => {
    const runner = await runnerOf("exec 0<&-; echo 'SHIP IT!'");
    const long = { ...request, user: "x".repeat(4_000_000) };
    expect(await runner.attempt(long, open)).toMatchObject({ reply: { text: "SHIP IT!\n" } });
  });

  it("says how a command failed, in its own words but without its secrets", async () => {
    const error = await errorOf('cat >/dev/null; echo "no bottle for $SHOP_TOKEN" >&2; exit 3', {
      passes: ["SHOP_TOKEN"],
      environment: { PATH: "/usr/bin:/bin", SHOP_TOKEN: "tok-4711" },
    });
    expect(error).toBeInstanceOf(RunnerError);
    expect(error).toMatchObject({
      code: "command-failed",
      retryable: false,
      facts: { exit_code: 3 },
    });
    expect(error.message).toContain("no bottle for");
    expect(error.message).not.toContain("tok-4711");
  });

  it("says that a command was killed by somebody else", async () => {
    expect(await errorOf("kill -KILL $$")).toMatchObject({
      code: "command-failed",
      facts: { signal: "SIGKILL" },
    });
  });

  it.each([
    ["/nowhere/agent", "command-not-found"],
    ["signoff-has-no-such-program", "command-not-found"],
    [import.meta.dirname, "command-not-executable"],
  ])("says that %s cannot be run", async (program, code) => {
    const error = await failureOf(
      createCommandRunner(settingsFor([program])).attempt(request, open),
    );
    expect(error).toMatchObject({ code, retryable: false, hint: expect.any(String) });
  });

  it("says that a file is not executable", async () => {
    const program = await smallProgram("echo hello", 0o644);
    const error = await failureOf(
      createCommandRunner(settingsFor([program])).attempt(request, open),
    );
    expect(error.code).toBe("command-not-executable");
  });

  it("refuses a command without a program", () => {
    expect(() => createCommandRunner(settingsFor([]))).toThrow(
      expect.objectContaining({ code: "bad-command" }),
    );
  });

  it("ends a command that prints without end, and keeps none of it", async () => {
    const error = await errorOf("head -c 104857600 /dev/zero; exec sleep 1000", {
      outputBytes: 1_000_000,
    });
    expect(error).toMatchObject({ code: "output-too-large", retryable: false });
  });

  it("takes 100 MB where that is allowed, and the last byte of it", async () => {
    const reply = await replyOf("cat >/dev/null; head -c 104857600 /dev/zero; printf '!'", {
      outputBytes: 200_000_000,
    });
    expect(reply.text).toHaveLength(104_857_601);
    expect(reply.text.endsWith("!")).toBe(true);
  });
});

describe("the end of a command", () => {
  it("comes for a slow one at the wall-clock limit", async () => {
    const clock = new ManualClock();
    const { pids, ending } = await begun("echo $$; exec sleep 1000", { clock, seconds: 60 });
    await clock.advance(59_999);
    expect(clock.pending()).toEqual([60_000]);
    expect(pids.map(isGone)).toEqual([false]);
    await clock.advance(1);
    expect(await failureOf(ending)).toMatchObject({ code: "timed-out", retryable: true });
    expect(pids.map(isGone)).toEqual([true]);
  });

  it("comes for one that never says anything", async () => {
    const clock = new ManualClock();
    const failed = errorOf("exec sleep 1000", { clock, idleSeconds: 30 });
    let done = false;
    void failed.then(() => {
      done = true;
    });
    await soon(async () => {
      await clock.advance(30_000);
      expect(done).toBe(true);
    });
    expect(await failed).toMatchObject({ code: "timed-out", retryable: true });
  });

  it("comes after a silence, counted from the last word", async () => {
    const clock = new ManualClock();
    const program = await smallProgram(
      'echo $$; until [ -e "$0.go" ]; do :; done; echo again; exec sleep 1000',
    );
    const runner = createCommandRunner(settingsFor([program], { clock, idleSeconds: 30 }));
    let heard = "";
    const failed = failureOf(
      runner.attempt(request, open, (part) => {
        heard += part;
      }),
    );
    await soon(() => expect(heard).toContain("\n"));
    const pid = Number(heard.trim());
    await clock.advance(20_000);
    await writeFile(`${program}.go`, "");
    await soon(() => expect(heard).toContain("again"));
    await clock.advance(29_999);
    expect(clock.pending()).toContain(50_000);
    expect(isGone(pid)).toBe(false);
    await clock.advance(1);
    const error = await failed;
    expect(error).toMatchObject({ code: "timed-out", retryable: true });
    expect(error.message).toContain("said nothing for 30 s");
  });

  it("comes for the whole group when it is told to stop", async () => {
    const { pids, stop, ending } = await begun("sleep 1000 & echo $$ $!; wait");
    expect(pids.map(isGone)).toEqual([false, false]);
    const reason = new Error("The user pressed Ctrl-C.");
    stop.abort(reason);
    expect(await failureOf(ending)).toBe(reason);
    await soon(() => expect(pids.map(isGone)).toEqual([true, true]));
  });

  it("comes the hard way for one that ignores the polite one", async () => {
    const clock = new ManualClock();
    const lines = "trap '' TERM; sleep 1000 & echo $$ $!; while :; do wait; done";
    const { pids, stop, ending } = await begun(lines, { clock, graceMs: 5_000 });
    stop.abort("stop");
    await clock.advance(4_999);
    expect(clock.pending()).toContain(5_000);
    expect(pids.map(isGone)).toEqual([false, false]);
    await clock.advance(1);
    expect(await failureOf(ending)).toBe("stop");
    await soon(() => expect(pids.map(isGone)).toEqual([true, true]));
  });

  it("comes for children that a finished command leaves behind, and its reply counts", async () => {
    const reply = await replyOf("cat >/dev/null; sleep 1000 & echo $!");
    await soon(() => expect(isGone(Number(reply.text))).toBe(true));
  });

  it("does not wait for a descendant that left the group and holds the pipe", async () => {
    const clock = new ManualClock();
    const leaves = `
      const child = require("node:child_process").spawn("sleep", ["1000"], {
        detached: true,
        stdio: ["ignore", "inherit", "inherit"],
      });
      process.stdout.write(child.pid + "\\n", () => process.exit(0));`;
    const lines = `exec "${process.execPath}" -e '${leaves}'`;
    const { pids, ending } = await begun(lines, { clock, graceMs: 5_000 });
    let done = false;
    void ending.then(() => {
      done = true;
    });
    await soon(async () => {
      await clock.advance(5_000);
      expect(done).toBe(true);
    });
    process.kill(pids[0]!, "SIGKILL");
  });

  it("comes before the beginning when it is already too late", async () => {
    const runner = await runnerOf("echo hello");
    expect(await failureOf(runner.attempt(request, AbortSignal.abort("late")))).toBe("late");
  });
});

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
