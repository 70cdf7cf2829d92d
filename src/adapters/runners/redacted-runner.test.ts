import { describe, expect, it } from "vitest";
import { failureOf, noon, requestFor, secretKey } from "../../../tests/support/provider-wires.ts";
import { createRedactor } from "../../domain/settings/redactor.ts";
import { ModelNotFoundError, RunnerError } from "../../domain/values/workflow-error.ts";
import { redactedRunner } from "./redacted-runner.ts";

const redactor = createRedactor([secretKey]);
const open = new AbortController().signal;
const request = requestFor("openai/gpt-4o");

function failing(error: Error) {
  return redactedRunner({ attempt: () => Promise.reject(error) }, redactor);
}

describe("redactedRunner", () => {
  it("takes a key out of replies and of what is shown while they come in", async () => {
    const shown: string[] = [];
    const reply = { model: "m", finish: "complete", startedAt: noon, finishedAt: noon } as const;
    const runner = redactedRunner(
      {
        attempt: async (_request, _signal, onText) => {
          onText?.(`key ${secretKey}`);
          return { kind: "replied", reply: { ...reply, text: `key ${secretKey}` } };
        },
      },
      redactor,
    );
    const attempted = await runner.attempt(request, open, (part) => shown.push(part));
    expect(JSON.stringify([attempted, shown])).not.toContain(secretKey);
    expect(shown).toEqual(["key [redacted]"]);
  });

  it.each([
    [["key ", secretKey.slice(0, 9), secretKey.slice(9), " done"], "key [redacted] done"],
    [[...`key ${secretKey} done`], "key [redacted] done"],
    [["sk-", "ill and sk-", "shop talk"], "sk-ill and sk-shop talk"],
    [["cut ", secretKey.slice(0, -1)], "cut [redacted]"],
    [["ends with s", "k"], "ends with sk"],
  ])("takes it out of a stream whatever its parts are: %j", async (parts, whole) => {
    const shown: string[] = [];
    const runner = redactedRunner(
      {
        attempt: async (_request, _signal, onText) => {
          for (const part of parts) onText?.(part);
          throw new RunnerError("cut", { code: "connection-cut" });
        },
      },
      redactor,
    );
    await failureOf(runner.attempt(request, open, (part) => shown.push(part)));
    expect(shown.join("")).toBe(whole);
  });

  it("takes it out of errors and leaves what the scheduler needs", async () => {
    const about = { code: "rate-limited", retryable: true, facts: { said: secretKey } };
    const limited = new RunnerError(`no, ${secretKey}`, { ...about, retryAfterMs: 7_000 });
    const error = await failureOf(failing(limited).attempt(request, open));
    expect(error).toMatchObject({
      ...{ message: "no, [redacted]", code: "rate-limited", retryable: true },
      ...{ retryAfterMs: 7_000, facts: { said: "[redacted]" } },
    });
    const missing = new ModelNotFoundError("no model", { code: "model-not-found" });
    expect(await failureOf(failing(missing).attempt(request, open))).toBeInstanceOf(
      ModelNotFoundError,
    );
  });
});
