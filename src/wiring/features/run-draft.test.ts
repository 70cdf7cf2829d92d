import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import { runDraft } from "./run-draft.ts";

let directory: string;
let models: { readonly writer: string; readonly reviewer: string };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signoff-library-"));
  const script = `script:${join(directory, "replies.json")}`;
  models = { writer: script, reviewer: script };
  give({ creator: ["Sip Smart", "Refill the sea"], reviewer: ["Too vague.", "SHIP IT!"] });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function give(replies: { readonly creator: string[]; readonly reviewer: string[] }): void {
  writeFileSync(join(directory, "replies.json"), JSON.stringify(replies));
}

describe("a caller of the library", () => {
  it("gets the error of its own callback, and goes on with the run later", async () => {
    const boom = new Error("the shop's page is gone");
    const broken = runDraft({
      ...{ brief: "water bottles", directory, models },
      onEvent: ({ kind }) => {
        if (kind === "candidate-written") throw boom;
      },
    });
    await expect(broken).rejects.toBe(boom);
    const turns: string[] = [];
    const session = await runDraft({
      ...{ brief: "water bottles", directory, models },
      onEvent: ({ kind }) => turns.push(kind),
    });
    expect(session).toMatchObject({ completionReason: "approved", finalText: "Refill the sea" });
    expect(turns.at(-1)).toBe("phase-entered");
  });

  it("learns why a run failed and what its unfinished turn cost", async () => {
    give({ creator: ["Sip Smart", "Refill the sea"], reviewer: ["Too vague."] });
    const session = await runDraft({ brief: "water bottles", directory, models });
    const usage = { calls: 4, unanswered: 1, microUsd: 0 };
    expect(session).toMatchObject({ completionReason: "error", usage });
    expect(session.turns).toHaveLength(1);
    expect(session.error?.message).toMatch(/replies\.json ran out/u);
    expect(sessionToJson(session)).toMatchObject({ error: session.error, usage: { calls: 4 } });
  });

  it.each([
    { microUsd: Number.POSITIVE_INFINITY },
    { microUsd: 1e30 },
    { tokens: -1 },
    { tokens: 0.5 },
    { seconds: Number.NaN },
  ])("cannot give a budget that cannot be kept: %o", async (budget) => {
    const draft = runDraft({ brief: "water bottles", directory, models, budget });
    await expect(draft).rejects.toMatchObject({ code: "request-invalid" });
  });
});
