import { expect, test } from "vitest";
import { digest } from "../values/digest.ts";
import { instant } from "../values/instant.ts";
import { deriveText, isAccepted, standingOf, type TextEvidence } from "./text-standing.ts";

const at = instant("2026-03-01T10:00:00Z");
const asked = (model: string) => [{ kind: "run", ref: "r1", metadata: { model } }];
const sha256 = digest("ab");

const signed: TextEvidence = {
  assetId: "slug",
  candidates: 2,
  selected: { path: "copy/selected/slug.txt", fits: true },
  record: {
    ...{ assetId: "slug", candidateId: "c2", format: "plain" },
    ...{ madeBy: "loop", by: "r1", at, sha256 },
  },
  chosen: { candidateId: "c2", file: "same" },
  protocol: {
    assetId: "slug",
    maxIterations: 3,
    iterations: [
      {
        iteration: 2,
        creatorDone: true,
        candidate: {
          ...{ candidateId: "c2", assetId: "slug", format: "plain", content: "slow-bread" },
          ...{ createdAt: at, provenance: asked("ollama/mistral") },
        },
        review: {
          ...{ iteration: 2, verdict: "ok", issues: [], createdAt: at },
          provenance: asked("ollama/llama3.2"),
        },
      },
    ],
    decision: { outcome: "converged", finalIteration: 2, lockedFields: ["outcome"] },
  },
  files: [{ path: "copy/reviews/slug/iteration_02.json", is: "same" }],
  recorded: [{ iteration: 2, is: "same" }],
  panel: { rule: "all", votes: [{ member: "brand", answer: "approves", statesError: false }] },
  acts: [],
  isLetGo: false,
  freshness: { kind: "fresh" },
};

const picked: TextEvidence = {
  ...signed,
  record: { ...signed.record!, madeBy: "person", by: "Ada" },
  acts: [{ kind: "pick", by: "Ada", at, textSha256: sha256 }],
};

const protocol = signed.protocol!;
const [turn] = protocol.iterations;
const without = (evidence: TextEvidence, ...names: readonly (keyof TextEvidence)[]): TextEvidence =>
  Object.fromEntries(
    Object.entries(evidence).filter(([name]) => !names.includes(name as keyof TextEvidence)),
  ) as unknown as TextEvidence;

test("what fits together is accepted, proven by the record of its run or by a person's act", () => {
  expect(deriveText(signed)).toMatchObject({
    ...{ state: "signed", support: "proven", deciders: ["model"], missing: [] },
  });
  expect(deriveText(picked)).toMatchObject({
    ...{ state: "picked", support: "proven", deciders: ["person"], why: "picked by Ada" },
  });
  const clone = { ...signed, recorded: [{ iteration: 2, is: "gone" as const }] };
  expect(deriveText(clone)).toMatchObject({ state: "signed", support: "attested" });
});

const damage: readonly (readonly [string, TextEvidence, string])[] = [
  ["no file", without(signed, "selected"), "evidence_missing"],
  ["another text in the file", { ...signed, selected: { path: "p", fits: false } }, "edited"],
  ["no protocol", without(signed, "protocol"), "evidence_missing"],
  [
    "another candidate than the loop's",
    { ...signed, chosen: { candidateId: "c1", file: "same" } },
    "evidence_missing",
  ],
  ["a review that is gone", { ...signed, files: [{ path: "p", is: "gone" }] }, "evidence_missing"],
  ["a changed file", { ...signed, files: [{ path: "p", is: "changed" }] }, "evidence_missing"],
  [
    "another record of the run",
    { ...signed, recorded: [{ iteration: 2, is: "changed" }] },
    "evidence_missing",
  ],
  [
    "a verdict that asks for changes",
    {
      ...signed,
      protocol: {
        ...protocol,
        iterations: [{ ...turn!, review: { ...turn!.review, verdict: "changes_requested" } }],
      },
    },
    "evidence_missing",
  ],
  [
    "a writer who is not done",
    { ...signed, protocol: { ...protocol, iterations: [{ ...turn!, creatorDone: false }] } },
    "evidence_missing",
  ],
  [
    "a panel that objects",
    {
      ...signed,
      panel: { rule: "all", votes: [{ member: "b", answer: "absent", statesError: false }] },
    },
    "evidence_missing",
  ],
  [
    "a changed input",
    { ...signed, freshness: { kind: "stale", because: "hosts changed" } },
    "stale",
  ],
  ["no record and no loop", without(signed, "record", "protocol"), "unsigned"],
  ["a pick without its act", { ...picked, acts: [] }, "evidence_missing"],
  [
    "an act about another text",
    { ...picked, acts: [{ kind: "pick", by: "Ada", at, textSha256: digest("cd") }] },
    "evidence_missing",
  ],
  [
    "a picked candidate that was changed",
    { ...picked, chosen: { candidateId: "c2", file: "changed" } },
    "evidence_missing",
  ],
  ["a pick that was let go", { ...without(picked, "protocol"), isLetGo: true }, "evidence_missing"],
];

test.each(damage)("%s is not accepted, and a command is named", (_, evidence, state) => {
  const found = deriveText(evidence);
  expect(found.state).toBe(state);
  expect(isAccepted(found)).toBe(false);
  expect(found.support).toBeUndefined();
  expect(found.missing.at(-1)?.command).toMatch(/^episode (?:adopt|pick|review) --asset-id slug/u);
  const standing = standingOf("bread slug", found, (command) => `signoff ${command}`);
  expect(standing).toMatchObject({ accepted: false, kind: "episode-text" });
});

test("a text that a person adopted is theirs, and one by another or of another time is not", () => {
  const [act] = picked.acts;
  const by = (more: object) => deriveText({ ...picked, acts: [{ ...act!, ...more }] });
  expect(by({ kind: "adopt" })).toMatchObject({ state: "picked", why: "adopted by Ada" });
  for (const other of [
    { by: "Bert" },
    { at: instant("2026-03-02T10:00:00Z") },
    { textSha256: digest("cd") },
    { kind: "unlock" },
  ])
    expect(by(other)).toMatchObject({ state: "evidence_missing" });
});

test("a loop that a person let go on waits for its review", () => {
  const { protocol, record, selected, chosen, ...rest } = signed;
  for (const kind of ["restart", "unlock"] as const) {
    const acts = [{ kind, by: "Ada", at }];
    const { state, why, missing } = deriveText({ ...rest, acts });
    expect([state, why]).toEqual(["in_review", "Ada let the loop continue"]);
    expect(missing).toHaveLength(1);
  }
  const toReview = { deciders: [], missing: [{ command: "episode review --asset-id slug" }] };
  expect(deriveText({ ...rest, candidates: 0 })).toMatchObject({
    state: "not_started",
    ...toReview,
  });
  expect(deriveText(rest)).toMatchObject({
    state: "drafted",
    why: "drafted and not reviewed",
    ...toReview,
  });
});

test("a loop without both signatures says why it ended", () => {
  const ended = (reason?: string) =>
    deriveText({
      ...signed,
      protocol: {
        ...signed.protocol!,
        decision: {
          ...{ outcome: "needs_human", finalIteration: 2, lockedFields: ["outcome"] },
          ...(reason === undefined ? {} : { reason }),
        } as NonNullable<TextEvidence["protocol"]>["decision"] & object,
      },
    }).why;
  expect(ended("max_iterations")).toBe("the loop ended without both signatures (max_iterations)");
  expect(ended()).toBe("the loop ended without both signatures (no reason given)");
});

test("a decision about another iteration than the last proves nothing", () => {
  const { state, why } = deriveText({
    ...signed,
    protocol: {
      ...signed.protocol!,
      decision: { ...signed.protocol!.decision!, finalIteration: 1 },
    },
  });
  expect([state, why]).toEqual([
    "evidence_missing",
    "the decision is about turn 1, the last one is 2",
  ]);
});

test("a selected text that is gone is picked again from the candidate that the loop ended with", () => {
  const { selected, chosen, ...rest } = signed;
  expect(deriveText(rest)).toMatchObject({
    state: "evidence_missing",
    missing: [{ command: "episode pick --asset-id slug --candidate-id c2" }],
  });
});
