import { createHash } from "node:crypto";
import fc from "fast-check";
import { v5 as uuidv5 } from "uuid";
import { describe, expect, it } from "vitest";
import { runId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { AskRequest } from "../../ports/runner.ts";
import { digestOfJson, digestOfRequest, idInRun } from "./run-identity.ts";

const question: AskRequest = {
  role: "reviewer",
  model: "offline/shop",
  system: "You judge product pages.",
  user: "Is this page about the bottle ready?",
  expects: "json",
  settings: { temperature: 0.3, max_tokens: 1_200 },
  formatVersion: "drafting/1",
  task: {},
  ordinal: 0,
};

describe("the digest of a question", () => {
  it("changes with everything that reaches the model", () => {
    const others: readonly Partial<AskRequest>[] = [
      { role: "creator" },
      { model: "offline/other" },
      { system: "You judge product pages. " },
      { user: "Is this page ready?" },
      { expects: "text" },
      { settings: { temperature: 0.4, max_tokens: 1_200 } },
      { formatVersion: "drafting/2" },
      { system: "You judge product pages.I", user: "s this page about the bottle ready?" },
    ];
    const digests = others.map((other) => digestOfRequest({ ...question, ...other }));
    expect(new Set([digestOfRequest(question), ...digests]).size).toBe(others.length + 1);
  });

  it("is the same for the same question in another order of its settings", () => {
    const turned = { ...question, settings: { max_tokens: 1_200, temperature: 0.3 } };
    expect(digestOfRequest(turned)).toBe(digestOfRequest(question));
  });

  it("stays what it was in stores that exist", () => {
    const settings = '{"max_tokens":1200,"temperature":0.3}';
    const { role, model, system, user } = question;
    const head = `["${role}","${model}","json",${settings},"drafting/1",${system.length}]`;
    expect(digestOfRequest(question)).toBe(sha256(`${head}${system}${user}`));
  });

  it("does not depend on the facts the question was made from", () => {
    expect(digestOfRequest({ ...question, task: { iteration: 2 }, ordinal: 1 })).toBe(
      digestOfRequest(question),
    );
  });
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the digest of a value", () => {
  it("is that of its JSON with sorted names and nothing between", () => {
    const value = { b: [1, [], {}, null], a: { d: "é\u2028", c: true }, gone: undefined };
    const text = '{"a":{"c":true,"d":"é\u2028"},"b":[1,[],{},null]}';
    expect(digestOfJson(value as unknown as Json)).toBe(sha256(text));
  });

  it("holds for values that are hashed in pieces", () => {
    const steps = Array.from({ length: 3_000 }, (_, at) => ({ question: `Wie viele für ${at}?` }));
    expect(digestOfJson(steps)).toBe(sha256(JSON.stringify(steps)));
  });
});

describe("an id in a run", () => {
  it("is the UUID of version 5 of its name, whatever the run and the name", () => {
    const name = fc.string({ unit: fc.constantFrom("issue", ":", "7", "ß", "中", "🐝") });
    fc.assert(
      fc.property(fc.uuid(), name, (run, called) => {
        expect(idInRun(runId(run), called)).toBe(uuidv5(called, run));
      }),
    );
  });

  it("is refused to a run that is none", () => {
    expect(() => idInRun(runId("the shop"), "issue:1")).toThrow();
  });
});
