import { describe, expect, it } from "vitest";
import type { PanelDecision } from "../drafting/panel.ts";
import { analystFacts, describeAnalyst } from "./analyst-facts.ts";
import { assistantIdentityOf, describeAssistant, isSameAssistant } from "./assistant-identity.ts";
import { decisionLine } from "./decision-line.ts";
import type { DerivedRun } from "./derive-run.ts";
import type { AnalystAnswer } from "./judge-run.ts";
import { runOutcome } from "./run-outcome.ts";
import type { PackRecord } from "./run-record.ts";
import { runStanding } from "./run-standing.ts";

const run = (more: Partial<DerivedRun>): DerivedRun =>
  ({
    ...{ accepted: true, reasons: [], deciders: [], score: 90 },
    record: { scenarios: [] },
    ...more,
  }) as unknown as DerivedRun;
const known = { folder: "runs/1", claimsAccepted: false, command: "signoff pack run" };

describe("a pack run", () => {
  it("is accepted by its record, with the analyst's score where one was asked", () => {
    expect(runStanding({ ...known, run: run({}) })).toEqual({
      ...{ kind: "pack-run", name: "runs/1", accepted: true, support: "proven", deciders: [] },
      why: "all 0 steps that count pass their checks",
    });
    expect(runStanding({ ...known, run: run({ deciders: ["model"] }) })).toMatchObject({
      why: "all 0 steps that count pass their checks, and the analyst gives 90 of 100",
    });
  });

  it("that is not accepted says why, what else, and how to play it again", () => {
    const refused = run({ accepted: false, reasons: ["a step failed", "the score is low"] });
    const { command, ...without } = known;
    expect(runStanding({ ...known, run: refused, claimsAccepted: true })).toMatchObject({
      ...{ accepted: false, why: "a step failed" },
      missing: [{ text: "the score is low" }, { text: "What would supply it:", command }],
    });
    const silent = runStanding({ ...without, run: run({ accepted: false }) });
    expect(silent).toMatchObject({ why: "the run was not accepted", missing: [] });
  });

  it("without a record is believed no further than attested", () => {
    expect(runStanding({ ...known, claimsAccepted: true })).toMatchObject({
      ...{ accepted: true, support: "attested", deciders: [] },
      why: "this project has no record of the run; its files say so",
    });
    expect(runStanding(known)).toMatchObject({
      ...{ accepted: false, missing: [{ text: "Play its pack here." }] },
      why: "this project has no record of the run",
    });
  });

  it("has one word for its outcome", () => {
    expect(runOutcome({ accepted: true, finalStatus: "accepted" })).toBe("accepted");
    expect(runOutcome({ accepted: false, finalStatus: "accepted" })).toBe("gate_not_passed");
    expect(runOutcome({ accepted: false, finalStatus: "blocked" })).toBe("blocked");
  });
});

describe("who judged a run", () => {
  const signature = { how: "bare" } as const;
  const answer = (model: string, loopDecision = "accepted"): AnalystAnswer =>
    ({
      ...{ name: model, model },
      reading: { kind: "read", verdict: { loopDecision }, signature },
    }) as unknown as AnalystAnswer;

  it("is one model that signed, if it accepted", () => {
    expect(analystFacts([answer("openai/gpt-5")], undefined)).toEqual({
      ...{ model: "openai/gpt-5", standIn: false, signature },
    });
    const refused = analystFacts([answer("openai/gpt-5", "partial")], undefined);
    expect(refused).not.toHaveProperty("signature");
  });

  it("counts no signature where a stand-in, a script or no one answered", () => {
    expect(analystFacts([answer("offline/rules")], undefined)).toEqual({
      ...{ model: "offline/rules", standIn: true },
    });
    expect(analystFacts([answer("script:a.json")], undefined)).toEqual({
      ...{ model: "script:a.json", standIn: false, scripted: true },
    });
    const silent = { name: "a", model: "openai/gpt-5" };
    expect(analystFacts([silent], undefined)).toEqual({ model: "openai/gpt-5", standIn: false });
  });

  it("are several by their vote, each model named once", () => {
    const vote: PanelDecision = {
      ...{ rule: "majority", verdict: "ok", approved: ["a"], objected: [] },
      ...{ calledPerson: [], absent: [] },
    };
    const answers = ["openai/gpt-5", "openai/gpt-5", "offline/rules"].map((one) => answer(one));
    const facts = analystFacts(answers, vote);
    expect(facts).toEqual({ model: "openai/gpt-5, offline/rules", standIn: true, vote });
    expect(describeAnalyst(facts)).toMatch(
      /^openai\/gpt-5, offline\/rules, a rule-based stand-in, /u,
    );
    expect(describeAnalyst({ model: "script:a", standIn: false, scripted: true })).toBe(
      "script:a, a script",
    );
  });
});

it("an assistant is known by its name and address, with the versions that answered", () => {
  const record = (...versions: readonly string[]) =>
    ({ scenarios: [{ assistantVersions: versions }, {}] }) as unknown as PackRecord;
  const at = { assistantUrl: "http://shop/api", assistantName: "Shop" };
  expect(describeAssistant(assistantIdentityOf(at, record("2", "1", "2")))).toBe(
    "Shop at http://shop/api, version 1, 2",
  );
  expect(describeAssistant(assistantIdentityOf({ assistantUrl: "http://shop" }, record()))).toBe(
    "http://shop, version unobserved",
  );
  const shop = { url: "http://shop/api", name: "Shop" };
  expect(isSameAssistant(shop, { ...shop, url: "http://shop/api//" })).toBe(true);
  expect(isSameAssistant(shop, { ...shop, name: "Bakery" })).toBe(false);
  expect(isSameAssistant(shop, { ...shop, url: "http://shop" })).toBe(false);
});

it("a decision is one line with all that was said", () => {
  expect(decisionLine({ by: "Ada" })).toBe("Ada decided it");
  const said = { choice: "accept", question: "Is it\nright?", comment: " fine \n now" };
  expect(decisionLine({ by: "Ada ", ...said })).toBe(
    'Ada decided accept on "Is it right?"; fine now',
  );
});
