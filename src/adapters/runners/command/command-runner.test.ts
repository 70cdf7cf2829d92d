import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  begun,
  errorOf,
  open,
  replyOf,
  request,
  runnerOf,
  settingsFor,
  soon,
} from "../../../../tests/support/command-runs.ts";
import { ManualClock } from "../../../../tests/support/manual-clock.ts";
import { failureOf } from "../../../../tests/support/provider-wires.ts";
import { isGone, smallProgram } from "../../../../tests/support/small-programs.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import { createCommandRunner } from "./command-runner.ts";

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

  it("reports that another process killed the command", async () => {
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

  it("stops the whole process group", async () => {
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
