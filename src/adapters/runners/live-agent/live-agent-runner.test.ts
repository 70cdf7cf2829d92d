import { describe, expect, it } from "vitest";
import { failureOf, requestFor } from "../../../../tests/support/provider-wires.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { createLiveAgentRunner } from "./live-agent-runner.ts";

const open = new AbortController().signal;

function editor() {
  const written: AskRequest[] = [];
  const runner = createLiveAgentRunner({
    writePrompt: async (request) => {
      written.push(request);
      return `.signoff/prompts/${request.role}-${request.ordinal}.md`;
    },
  });
  return { runner, written };
}

describe("createLiveAgentRunner", () => {
  it("keeps the prompt in a file and asks where to find it", async () => {
    const { runner, written } = editor();
    const request = requestFor("live-agent/editor", {
      role: "reviewer",
      expects: "json",
      ordinal: 2,
    });
    expect(await runner.attempt(request, open)).toEqual({
      kind: "suspended",
      question: {
        kind: "live-agent",
        text: "The reviewer (live-agent/editor) is asked in .signoff/prompts/reviewer-2.md. Answer with the whole reply as JSON.",
        choices: [],
        context: {
          prompt_file: ".signoff/prompts/reviewer-2.md",
          role: "reviewer",
          model: "live-agent/editor",
          expects: "json",
        },
      },
    });
    expect(written).toEqual([request]);
  });

  it("asks the same question when it is asked again", async () => {
    const { runner } = editor();
    const request = requestFor("live-agent/editor");
    expect(await runner.attempt(request, open)).toEqual(await runner.attempt(request, open));
  });

  it("writes nothing when it is already too late, and fails when nothing can be written", async () => {
    const { runner, written } = editor();
    const late = runner.attempt(requestFor("live-agent/editor"), AbortSignal.abort("late"));
    expect(await failureOf(late)).toBe("late");
    expect(written).toEqual([]);
    const full = createLiveAgentRunner({
      writePrompt: () => Promise.reject(new Error("disk full")),
    });
    const error = await failureOf(full.attempt(requestFor("live-agent/editor"), open));
    expect(error.message).toBe("disk full");
  });
});
