import { describe, expect, it } from "vitest";
import type { ReviewJob } from "../../domain/gates/review-job.ts";
import { renderSentinel } from "../../protocol/gates/format.ts";
import { resultCode } from "../../protocol/gates/result-code.ts";
import { doubtsIn, firstTask, openPairs, readReplies, readReply } from "./read-review.ts";

const job: ReviewJob = {
  ...{ shape: "bundle", model: "openai/gpt-5", live: false, aliases: {} },
  notes: [{ path: "notes/prices.md", blobSha: "n1", text: "# Prices\n\nOften more.\n", links: [] }],
  gates: ["prose/calm", "prose/plain"].map((id) => ({ id, blobSha: "g1", body: "Judge it." })),
};
const nonceOf = (name: string) =>
  name === "blocks" ? "5f1d3b7a905f1d3b7a90" : "90a7b3d1f590a7b3d1f5";
const sources = [...job.notes.map(({ text }) => text), ...job.gates.map(({ body }) => body)];

const reply = (ask: string, results: Readonly<Record<string, string>>) => {
  const nonce = nonceOf(ask);
  const text = Object.entries(results)
    .map(([gate, result]) =>
      [
        renderSentinel({ kind: "gate-start", name: gate }, nonce),
        result.replaceAll("CODE", resultCode(nonce, gate, sources)),
        renderSentinel({ kind: "gate-end", name: gate }, nonce),
      ].join("\n"),
    )
    .join("\n");
  return { text, finish: "complete" as const };
};
const decisions = (...replies: readonly ReturnType<typeof reply>[]) =>
  readReplies(job, replies, { nonceOf, asksDoubts: true }).reviews.map(({ decision }) => decision);

const pass = "## Result CODE: PASS";
const fail = "## Result CODE: FAIL";
const contradictory = `### Findings\n\n- warn: no source\n\n${pass}`;

describe("one further question", () => {
  it("covers all doubtful and missing blocks of a reply", () => {
    const first = reply("blocks", { "prose/calm": contradictory });
    const read = readReply(firstTask(job, nonceOf), first.text);
    expect(doubtsIn(read)).toMatchObject([{ gateId: "prose/calm" }]);
    expect(openPairs(read, true).map(({ gateId }) => gateId)).toEqual([
      "prose/plain",
      "prose/calm",
    ]);
    expect(openPairs(read, false).map(({ gateId }) => gateId)).toEqual(["prose/plain"]);
  });

  it("settles what was doubtful, and a pair that is doubtful twice stays undecided", () => {
    const first = reply("blocks", { "prose/calm": contradictory, "prose/plain": pass });
    expect(decisions(first)).toEqual(["unknown", "pass"]);
    expect(decisions(first, reply("repair", { "prose/calm": pass }))).toEqual(["pass", "pass"]);
    expect(decisions(first, reply("repair", { "prose/calm": contradictory }))).toEqual([
      "unknown",
      "pass",
    ]);
  });

  it("cannot lift a FAIL that was declared, nor change a block that was clear", () => {
    const first = reply("blocks", { "prose/calm": `${fail}\n${pass}`, "prose/plain": fail });
    expect(decisions(first, reply("repair", { "prose/calm": pass, "prose/plain": pass }))).toEqual([
      "unknown",
      "fail",
    ]);
    expect(decisions(first, reply("repair", { "prose/calm": fail }))).toEqual(["fail", "fail"]);
  });

  it("is read with its own codes: the first reply again decides nothing", () => {
    const first = reply("blocks", { "prose/calm": contradictory, "prose/plain": pass });
    expect(decisions(first, first)).toEqual(["unknown", "pass"]);
  });
});
