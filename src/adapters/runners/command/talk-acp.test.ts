import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../tests/support/manual-clock.ts";
import { failureOf, requestFor } from "../../../../tests/support/provider-wires.ts";
import type { Reply } from "../../../ports/runner.ts";
import { createCommandRunner } from "./command-runner.ts";

const agent = fileURLToPath(new URL("../../../../tests/support/acp-agent.mjs", import.meta.url));
const request = requestFor("command/agent", { role: "reviewer" });

function asking(how: string, clock = new ManualClock()) {
  return createCommandRunner({
    ...{ name: "agent", argv: [process.execPath, agent, how], reads: "acp", passes: [] },
    ...{ seconds: 900, clock, environment: {}, cwd: process.cwd(), guard: () => undefined },
  });
}

async function replyOf(how: string, onText?: (part: string) => void): Promise<Reply> {
  const attempted = await asking(how).attempt(request, new AbortController().signal, onText);
  return (attempted as unknown as { readonly reply: Reply }).reply;
}

describe("an agent over the Agent Client Protocol", () => {
  it("gets the prompt and answers in parts, as it speaks", async () => {
    const heard: string[] = [];
    const reply = await replyOf("answers", (part) => heard.push(part));
    expect(reply).toMatchObject({
      text: "You asked: Create a slogan for: eco-friendly water bottles",
      model: "command/agent",
      finish: "complete",
    });
    expect(heard[0]).toBe("You asked: ");
    expect(reply.usage).toBeUndefined();
  });

  it("is refused every permission", async () => {
    expect((await replyOf("asks")).text).toBe("permission: cancelled");
  });

  it("gives a reply that counts as cut at its limit", async () => {
    expect((await replyOf("cut")).finish).toBe("cut");
  });

  it.each([
    ["refuses", "quota-used-up", false],
    ["crashes", "command-failed", false],
  ])("that %s is reported as %s", async (how, code, retryable) => {
    const attempt = asking(how).attempt(request, new AbortController().signal);
    expect(await failureOf(attempt)).toMatchObject({ code, retryable });
  });

  it("is ended when the run is stopped", async () => {
    const stop = new AbortController();
    const reason = new Error("The user pressed Ctrl-C.");
    const attempt = asking("hangs").attempt(request, stop.signal);
    setImmediate(() => stop.abort(reason));
    expect(await failureOf(attempt)).toBe(reason);
  });
});
