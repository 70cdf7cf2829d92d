import { describe, expect, it } from "vitest";
import type { Json } from "../../../domain/values/json.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { parseBundleOutput } from "../../../protocol/gates/parse-output.ts";
import type { GateReviewTask } from "../../../protocol/gates/task.ts";
import { parseScript } from "./script.ts";
import { createScriptedRunner } from "./scripted-runner.ts";

const task: GateReviewTask = {
  kind: "review-bundle",
  note: { path: "notes/salt.md", text: "# Salt\n", links: [] },
  gates: [
    { id: "prose/calm", body: "Fail what shouts." },
    { id: "prose/plain", body: "Warn for long words." },
  ],
  nonce: "a1b2c3d4e5",
};

const request: AskRequest = {
  role: "judge",
  model: "script:reviews.json",
  system: "",
  user: "",
  expects: "blocks",
  settings: {},
  formatVersion: "gates/1",
  task: task as unknown as Json,
  ordinal: 0,
};

const answer = (script: unknown) =>
  createScriptedRunner(parseScript(JSON.stringify(script), "reviews.json")).attempt(
    request,
    new AbortController().signal,
  );

describe("scripted reviews", () => {
  it("are wrapped into blocks with the run's code, and leave out what the script does not know", async () => {
    const replied = await answer({ reviews: { "notes/salt.md": { "prose/calm": "warn" } } });
    if (replied.kind !== "replied") throw new Error("suspended");
    const gateIds = ["prose/calm", "prose/plain"];
    const output = parseBundleOutput(replied.reply.text, { gateIds, nonce: task.nonce });
    expect(output.reviews.map(({ decision }) => decision)).toEqual(["warn"]);
    expect(output.missing).toEqual(["prose/plain"]);
    expect(replied.reply.model).toBe("script:reviews.json");
  });

  it("may claim to come from another model", async () => {
    const replied = await answer({ model: "gpt-5.4", reviews: {} });
    expect(replied).toMatchObject({ reply: { model: "gpt-5.4" } });
  });

  it("may fail as a model does", async () => {
    const failure = { $error: { code: "quota-exhausted", message: "No more today." } };
    await expect(
      answer({ reviews: { "notes/salt.md": { "prose/calm": failure } } }),
    ).rejects.toMatchObject({ code: "quota-exhausted", retryable: false });
  });

  it("name the place of a mistake", () => {
    expect(() =>
      parseScript('{"reviews": {"notes/salt.md": {"prose/calm": 3}}}', "r.json"),
    ).toThrow("reviews.notes/salt.md.prose/calm");
  });
});
