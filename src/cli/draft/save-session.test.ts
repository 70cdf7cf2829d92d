import { describe, expect, it } from "vitest";
import type { DraftSession } from "../../domain/drafting/session.ts";
import { instant } from "../../domain/values/instant.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { saveSession } from "./save-session.ts";

const session: DraftSession = {
  runId: "run-1",
  recipe: "slogan",
  userInput: "eco-friendly water bottles",
  modelName: "script:replies.json",
  reviewerModels: ["script:replies.json"],
  reviewers: [{ label: "reviewer", model: "ollama/mistral:latest" }],
  standIn: false,
  deciders: ["model"],
  maxTurns: 5,
  turns: [],
  completionReason: "approved",
  finalText: "Hydrate Green\u001b[2J",
  createdAt: instant("2026-03-02T08:00:00.000Z"),
  usage: { calls: 2, replayed: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
};

async function printed(isTerminal: boolean): Promise<string> {
  const parts: string[] = [];
  const sink = { isTerminal, columns: () => 80, write: (part: string) => parts.push(part) };
  const cli = { screen: { out: sink, err: sink }, cwd: "/" } as unknown as CliContext;
  await saveSession(cli, session, "-");
  return parts.join("");
}

describe("the bare text", () => {
  it("goes into a pipe as it is, and to a terminal without what moves its cursor", async () => {
    expect(await printed(false)).toBe("Hydrate Green\u001b[2J\n");
    expect(await printed(true)).toBe("Hydrate Green\n");
  });
});
