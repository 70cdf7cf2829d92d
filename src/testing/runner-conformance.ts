import assert from "node:assert/strict";
import type { AskRequest, Runner } from "../ports/runner.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";

/** A runner whose model answers every question with some text. */
export interface RunnerSubject {
  readonly runner: Runner;
  /** A name that the runner takes; default: `own/model`. */
  readonly model?: string;
}

/** What engines and the record rely on in a runner: one attempt, one reply, no retry, no record. */
export const runnerConformance: readonly ConformanceCase<RunnerSubject>[] = [
  testCase("replies once with a text, its model and its times", async (subject) => {
    const reply = await replyOf(subject);
    assert.equal(typeof reply.text, "string");
    assert.ok(reply.model.length > 0, "a reply names the model that answered");
    assert.ok(["complete", "cut"].includes(reply.finish), "finish is complete or cut");
    for (const at of [reply.startedAt, reply.finishedAt]) {
      assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u, "times are ISO 8601 in UTC");
    }
    assert.ok(reply.startedAt <= reply.finishedAt, "a reply ends after it began");
  }),
  testCase("counts tokens in whole numbers, or says nothing about them", async (subject) => {
    const { usage } = await replyOf(subject);
    if (usage === undefined) return;
    for (const count of [usage.input, usage.output]) {
      assert.ok(Number.isSafeInteger(count) && count >= 0, `${count} is not a number of tokens`);
    }
  }),
  testCase(
    "shows the text while it comes, and nothing that is not in the reply",
    async (subject) => {
      const parts: string[] = [];
      const reply = await replyOf(subject, (part) => parts.push(part));
      const shown = parts.join("");
      assert.ok(shown === "" || reply.text.includes(shown.trim()), "the parts are the reply");
    },
  ),
  testCase("does not answer a question that is no longer waited for", async (subject) => {
    const stopped = AbortSignal.abort(new Error("not wanted any more"));
    await assert.rejects(subject.runner.attempt(requestOf(subject), stopped));
  }),
  testCase("answers several questions at a time, each with its own reply", async (subject) => {
    const replies = await Promise.all([replyOf(subject), replyOf(subject), replyOf(subject)]);
    assert.equal(new Set(replies).size, 3);
  }),
];

async function replyOf(subject: RunnerSubject, onText?: (part: string) => void) {
  const open = new AbortController().signal;
  const attempted = await subject.runner.attempt(requestOf(subject), open, onText);
  assert.equal(attempted.kind, "replied");
  if (attempted.kind !== "replied") throw new Error("unreachable");
  return attempted.reply;
}

function requestOf({ model = "own/model" }: RunnerSubject): AskRequest {
  return {
    role: "creator",
    model,
    system: "You answer in one word.",
    user: "What is the capital of Portugal?",
    expects: "text",
    settings: { temperature: 0, max_tokens: 20 },
    formatVersion: "conformance/1",
    task: { kind: "create" },
    ordinal: 0,
  };
}
