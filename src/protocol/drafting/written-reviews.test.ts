import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReviewerReply } from "../../domain/drafting/review.ts";
import { defined } from "../../domain/values/defined.ts";
import { cleanText, isBlank } from "./clean-text.ts";
import { stripReasoning } from "./reasoning.ts";
import { readReviewerReply, writeReviewerReply } from "./reviewer-reply.ts";

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

const storable = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((text) => cleanText(text) === text);
const issue = fc.record(
  {
    severity: fc.constantFrom("error" as const, "warning" as const),
    message: storable,
    code: storable,
    field: storable,
    quote: storable,
  },
  { requiredKeys: ["severity", "message"] },
);
const anyReply = fc.record(
  {
    verdict: fc.constantFrom("ok" as const, "changes_requested" as const, "needs_human" as const),
    issues: fc.array(issue, { maxLength: 3 }),
    kept: fc.array(storable, { maxLength: 3 }),
    closed: fc.array(storable, { maxLength: 3 }),
    summary: storable,
    score: fc.double({ noNaN: true, noDefaultInfinity: true }).map((score) => score + 0),
  },
  { requiredKeys: ["verdict", "issues", "kept", "closed"] },
);

describe("writing and reading", () => {
  it("gives the structured reply back", () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const text = writeReviewerReply(reply, "structured", "SHIP IT");
        expect(readReviewerReply(text, byJson, "script")).toEqual({ kind: "read", reply });
      }),
    );
  });

  it("gives an approval by phrase back, with a remark", () => {
    for (const summary of [undefined, "Great work."]) {
      const reply = { ...approval, ...defined({ summary }) };
      const text = writeReviewerReply(reply, "phrase", "SHIP IT");
      expect(readReviewerReply(text, byPhrase)).toEqual({ kind: "read", reply });
    }
  });

  it("never lets a remark take the written approval back", () => {
    fc.assert(
      fc.property(fc.oneof(storable, fc.constant("but not yet")), (summary) => {
        const text = writeReviewerReply({ ...approval, summary }, "phrase", "SHIP IT!");
        expect(readReviewerReply(text, byPhrase)).toMatchObject({ reply: { verdict: "ok" } });
      }),
    );
  });

  it("gives feedback back", () => {
    const words = storable.filter((text) => !isBlank(text) && stripReasoning(text) === text);
    fc.assert(
      fc.property(words, (text) => {
        const written = writeReviewerReply(feedback(text), "phrase", "SHIP IT");
        expect(readReviewerReply(written, byPhrase)).toEqual({
          kind: "read",
          reply: feedback(text),
        });
      }),
    );
  });

  it("never turns a refusal into an approval, however the reply is damaged", () => {
    const refusal = anyReply.filter((reply) => reply.verdict !== "ok");
    const damage = fc.tuple(fc.nat(), fc.nat(30), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(refusal, damage, (reply, [at, length, put]) => {
        const text = writeReviewerReply(reply, "structured", "SHIP IT");
        const from = at % text.length;
        const damaged = text.slice(0, from) + put + text.slice(from + length);
        for (const task of [byJson, byPhrase]) {
          const read = readReviewerReply(damaged, task);
          expect(read.kind === "read" && read.reply.verdict === "ok").toBe(false);
        }
      }),
    );
  });

  it("never throws and never approves by chance", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        fc.pre(!/ok|approve|pass|lgtm|ship/iu.test(text));
        for (const task of [byJson, byPhrase]) {
          const read = readReviewerReply(text, task);
          expect(read.kind === "read" && read.reply.verdict === "ok").toBe(false);
        }
      }),
    );
  });
});
