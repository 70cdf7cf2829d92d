import { describe, expect, it } from "vitest";
import { readReplyCases } from "../../../tests/support/reply-cases.ts";
import type { ReviewerReply } from "../../domain/drafting/review.ts";
import { defined } from "../../domain/values/defined.ts";
import { readReviewerReply, replyAuthor, settleSignature, withoutFence } from "./reviewer-reply.ts";

const shown = {
  phrase: "SHIP IT",
  brief: "eco-friendly water bottles",
  text: "Hydrate Green, Live Clean",
};
const byPhrase = { ...shown, approval: "phrase" } as const;
const byJson = { ...shown, approval: "structured" } as const;
const approval: ReviewerReply = { verdict: "ok", issues: [], kept: [], closed: [] };

function feedback(text: string): ReviewerReply {
  return {
    verdict: "changes_requested",
    issues: [{ severity: "error", message: text, code: "feedback" }],
    kept: [],
    closed: [],
    summary: text,
  };
}

it.each([
  ["```json\n{}\n```", "{}"],
  ["````\n{}\n````", "{}"],
  ["```json\n{}\n```\nBut the price is wrong.", undefined],
  ["The price is wrong.\n```json\n{}\n```", undefined],
  ["```json\n{}\n````", undefined],
])("of %j the fence is taken off only where it is around everything", (text, inner) => {
  expect(withoutFence(text)).toBe(inner ?? text);
});

describe("a reviewer who signs with the phrase", () => {
  it.each([
    ["SHIP IT!", undefined],
    ["**SHIP IT!** 🎉", undefined],
    ["Ship it! Great job.", "Great job."],
    ["This is perfect! SHIP IT!", "This is perfect!"],
    ["Perfect! SHIP IT! Great work.", "Perfect! SHIP IT! Great work."],
  ])("approves with %j and the remark is kept", (text, summary) => {
    expect(readReviewerReply(text, byPhrase)).toEqual({
      kind: "read",
      reply: { ...approval, ...defined({ summary }) },
    });
  });

  it.each([
    "Good rhythm but vague. Be specific about impact.",
    "Close but still needs work on X",
    "1. Vague\n2. Long\n\nNot yet.",
  ])("gives feedback whole: %j", (text) => {
    expect(readReviewerReply(`<think>hm</think>\n${text}\n`, byPhrase)).toEqual({
      kind: "read",
      reply: feedback(text),
    });
  });

  it("is asked again when the reply is empty", () => {
    for (const text of ["  ", "<think>SHIP IT!</think>", "<think>I would say SHIP IT!"]) {
      expect(readReviewerReply(text, byPhrase)).toEqual({
        kind: "unreadable",
        error: "the reply is empty",
      });
    }
  });

  it("has to sign an approval that came with other words, and these are feedback until then", () => {
    const text = "SHIP IT! Just run it by legal.";
    expect(readReviewerReply(text, byPhrase)).toEqual({
      kind: "unclear",
      beside: text,
      reply: feedback(text),
    });
  });

  it("does not approve by repeating the text under review", () => {
    const task = { ...byPhrase, text: "Perfect! SHIP IT!" };
    expect(readReviewerReply("Perfect! SHIP IT!", task)).toMatchObject({ kind: "unclear" });
  });

  it("may repeat the markers of a long prompt on the last line", () => {
    const task = { ...byPhrase, markers: ["k3v9", "x7y2"] } as const;
    for (const line of ["k3v9 x7y2", "First marker: k3v9, second marker: x7y2"]) {
      expect(readReviewerReply(`SHIP IT!\n\n${line}`, task)).toMatchObject({
        reply: { verdict: "ok" },
      });
    }
    for (const more of ["but cut the verb", "но короче", "还不行", "größer?", "❌", "(?)"]) {
      const text = `SHIP IT!\nk3v9 x7y2 ${more}`;
      expect(readReviewerReply(text, task)).toMatchObject({ kind: "unclear" });
    }
  });
});

describe("a reply in JSON", () => {
  const cases = readReplyCases(new URL("reviewer-reply.cases.txt", import.meta.url));

  it.each(cases.get("approved") ?? [])("approves: %j", (text) => {
    expect(readReviewerReply(text, byJson)).toMatchObject({
      kind: "read",
      reply: { verdict: "ok", issues: [], kept: [] },
    });
  });

  it.each(cases.get("asked") ?? [])("has to be signed: %j", (text) => {
    expect(readReviewerReply(text, byJson)).toMatchObject({
      kind: "unclear",
      reply: { verdict: "changes_requested" },
    });
  });

  it.each(cases.get("refused") ?? [])("does not approve: %j", (text) => {
    expect(readReviewerReply(text, byJson)).not.toMatchObject({ reply: { verdict: "ok" } });
  });

  it("tells what came with the approval, and keeps its issues", () => {
    const issue = { severity: "warning", message: "A comma is missing" };
    const text = JSON.stringify({ verdict: "ok", summary: "Warm.", score: 9, issues: [issue] });
    expect(readReviewerReply(text, byJson)).toMatchObject({
      beside: `Warm.\nscore: 9\nissues: ${JSON.stringify([issue])}`,
      reply: { issues: [issue, { severity: "error", code: "feedback" }] },
    });
  });

  it("is taken out of its envelope for command-line agents only, with all they said", () => {
    const result = (text: string) => JSON.stringify({ type: "result", result: text });
    const bare = result('{"verdict":"ok"}');
    const approves = { reply: { verdict: "ok" } };
    expect(readReviewerReply(bare, byJson, "command")).toMatchObject(approves);
    expect(readReviewerReply(bare, byJson)).not.toMatchObject(approves);
    const said = (text: string) => ({
      type: "item.completed",
      item: { type: "agent_message", text },
    });
    const events = [
      { type: "thread.started" },
      said("The price is wrong."),
      said('{"verdict":"ok"}'),
      { type: "turn.completed" },
    ];
    const lines = events.map((event) => JSON.stringify(event)).join("\n");
    expect(readReviewerReply(lines, byJson, "command")).toMatchObject({ kind: "unclear" });
  });

  it("counts with a summary when a script or a stand-in wrote it", () => {
    const text = '{"verdict":"ok","issues":[],"summary":"Concrete.","score":9}';
    for (const model of ["script:replies.json", "offline/rules"]) {
      expect(readReviewerReply(text, byJson, replyAuthor(model))).toMatchObject({
        kind: "read",
        reply: { verdict: "ok", summary: "Concrete." },
      });
    }
    expect(replyAuthor("ollama/mistral:latest")).toBe("model");
    expect(replyAuthor("command/codex")).toBe("command");
  });

  it("may name the markers of a long prompt", () => {
    const task = { ...byJson, markers: ["k3v9", "x7y2"] } as const;
    const text = '{"verdict":"ok","markers":["k3v9","x7y2"]}';
    expect(readReviewerReply(text, task)).toMatchObject({ reply: { verdict: "ok" } });
    expect(readReviewerReply(text, byJson)).toMatchObject({ kind: "unclear" });
  });
});

describe("the answer to the signature question", () => {
  const unclear = readReviewerReply("SHIP IT! Short but sweet.", byPhrase);
  if (unclear.kind !== "unclear") throw new Error("expected an approval that is not signed");

  it("signs when it is bare, and what came with the approval is kept", () => {
    expect(settleSignature(unclear, readReviewerReply("SHIP IT!", byPhrase))).toEqual({
      ...approval,
      summary: "SHIP IT! Short but sweet.",
      signature: { how: "asked", beside: "SHIP IT! Short but sweet." },
    });
  });

  it.each(["Well, the verb is weak.", "SHIP IT! As I said, short but sweet."])(
    "refuses when it is anything else, and both replies are the feedback: %j",
    (text) => {
      const settled = settleSignature(unclear, readReviewerReply(text, byPhrase));
      expect(settled.verdict).toBe("changes_requested");
      expect(settled.issues.map(({ message }) => message)).toEqual([
        "SHIP IT! Short but sweet.",
        text,
      ]);
    },
  );

  it("refuses when it cannot be read", () => {
    expect(settleSignature(unclear, readReviewerReply("", byPhrase))).toEqual({
      ...unclear.reply,
      signature: { how: "refused", beside: "SHIP IT! Short but sweet." },
    });
  });
});

describe("a reviewer who answers in JSON", () => {
  const issues = [
    { severity: "error", message: "Vague", code: "vague", field: "content", quote: "Live Clean" },
  ];

  it("is read with everything it says", () => {
    const said = {
      verdict: "changes_requested",
      issues,
      kept: ["i-1"],
      closed: ["i-2"],
      summary: "Close.",
      score: 6.5,
    };
    expect(readReviewerReply(JSON.stringify(said), byJson)).toEqual({ kind: "read", reply: said });
    expect(readReviewerReply(JSON.stringify({ review: said }), byJson)).toEqual({
      kind: "read",
      reply: said,
    });
  });

  it.each(["ok", "OK", "Approved", "approve", "LGTM!", "pass", "Ship it!"])(
    "approves with the verdict %j",
    (verdict) => {
      expect(readReviewerReply(JSON.stringify({ verdict }), byJson)).toEqual({
        kind: "read",
        reply: approval,
      });
    },
  );

  it.each([
    "changes_requested",
    "Changes requested",
    "request-changes",
    "REJECTED",
    "not ok",
    "needs work",
  ])("asks for changes with the verdict %j", (verdict) => {
    expect(readReviewerReply(JSON.stringify({ verdict }), byJson)).toMatchObject({
      reply: { verdict: "changes_requested" },
    });
  });

  it("reads an approval flag in place of a verdict", () => {
    expect(readReviewerReply('{"approved":true}', byJson)).toMatchObject({
      reply: { verdict: "ok" },
    });
    expect(readReviewerReply('{"approved":false}', byJson)).toMatchObject({
      reply: { verdict: "changes_requested" },
    });
  });

  it.each([
    "",
    "{}",
    '{"verdict":"ok"',
    '{"verdict":"almost ok"}',
    '{"verdict":"ok","approved":false}',
    '{"verdict":"ok","issues":"Vague"}',
    '{"verdict":"changes_requested","verdict":"ok"}',
    '{"verdict":"changes_requested","issues":[{"verdict":"ok"}',
    '[{"verdict":"ok"},',
    '<think>{"verdict":"ok"}</think>',
  ])("is asked for again: %j", (text) => {
    expect(readReviewerReply(text, byJson).kind).toBe("unreadable");
  });

  it("never hides an issue, however it is stated", () => {
    const text =
      '{"verdict":"changes_requested","issues":["Vague",{"severity":"nit","text":"Comma"},{"why":1},{"severity":"??","message":"Odd"}]}';
    expect(readReviewerReply(text, byJson)).toMatchObject({
      reply: {
        verdict: "changes_requested",
        issues: [
          { severity: "error", message: "Vague" },
          { severity: "warning", message: "Comma" },
          { severity: "error", message: '{"why":1}' },
          { severity: "error", message: "Odd" },
        ],
      },
    });
  });

  it("gives feedback when there is no JSON at all", () => {
    expect(readReviewerReply("Be specific.", byJson)).toEqual({
      kind: "read",
      reply: feedback("Be specific."),
    });
    expect(readReviewerReply("SHIP IT!", byJson, "script")).toEqual({
      kind: "read",
      reply: approval,
    });
  });

  it.each(["`".repeat(1_000_000), "{}".repeat(50_000), '{"verdict": "ok"}\n'.repeat(50_000)])(
    "is read without harm beside a flood of marks (%#)",
    (flood) => {
      const read = readReviewerReply(`{"verdict": "ok"} ${flood} Lovely.`, byJson);
      expect(read).toMatchObject({ kind: "unclear" });
    },
  );

  it("keeps unknown keys in raw, without labels and times a model made up", () => {
    const text = '{"verdict":"needs_human","reviewer":"boss","created_at":"1999","confidence":0.9}';
    expect(readReviewerReply(text, byJson)).toEqual({
      kind: "read",
      reply: { ...approval, verdict: "needs_human" },
      raw: { confidence: 0.9 },
    });
  });
});
