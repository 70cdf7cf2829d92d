import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CreatorReply } from "../../domain/drafting/candidate.ts";
import { cleanText, isBlank } from "./clean-text.ts";
import { readCreatorReply, writeCreatorReply } from "./creator-reply.ts";
import { stripReasoning } from "./reasoning.ts";

const plain = { reply: "plain", maxCharacters: 500 } as const;
const structured = { reply: "structured", maxCharacters: 10_000, assetId: "slogan" } as const;
const slogan = "Hydrate Green, Save Our Seas";

describe("a plain creator's reply", () => {
  it.each([
    slogan,
    `  ${slogan}\n`,
    `"${slogan}"`,
    `“${slogan}”`,
    `«${slogan}»`,
    `Slogan: ${slogan}`,
    `**Slogan:** "${slogan}"`,
    `Here is the revised slogan:\n\n"${slogan}"`,
    `\`\`\`\n${slogan}\n\`\`\``,
    `\`\`\`text\nSlogan: ${slogan}\n\`\`\``,
    `<think>Bottles… the sea…</think>\n${slogan}`,
    `{"type":"result","is_error":false,"result":"${slogan}"}`,
  ])("is the slogan alone: %j", (text) => {
    expect(readCreatorReply(text, plain)).toEqual({
      kind: "read",
      reply: { content: slogan, done: true, answers: [] },
    });
  });

  it.each(['"Green" is the new "Blue"', "Our promise: clean seas", "'Tis the season to refill"])(
    "keeps what belongs to the text: %j",
    (text) => {
      expect(readCreatorReply(text, plain)).toMatchObject({ reply: { content: text } });
    },
  );

  it.each(["", " \n ", "<think>Bottles…", "\0\u200b"])(
    "is unreadable when nothing is there: %j",
    (text) => {
      expect(readCreatorReply(text, plain)).toEqual({
        kind: "unreadable",
        error: "the reply holds no text",
      });
    },
  );

  it("is unreadable when it is longer than allowed, counted in code points", () => {
    expect(readCreatorReply("🌊".repeat(500), plain).kind).toBe("read");
    expect(readCreatorReply("🌊".repeat(501), plain)).toEqual({
      kind: "unreadable",
      error: "the text has 501 characters; at most 500 are allowed",
    });
  });

  it("is read, for the loop to object to, when it is too long again", () => {
    const repair = { error: "too long", text: "" };
    expect(readCreatorReply("🌊".repeat(501), { ...plain, repair }).kind).toBe("read");
  });

  it("can always be stored", () => {
    expect(readCreatorReply("Save\0 our \ud800seas", plain)).toMatchObject({
      reply: { content: "Save our \ufffdseas" },
    });
  });
});

describe("a structured creator's reply", () => {
  const reply: CreatorReply = {
    content: slogan,
    done: true,
    answers: [{ issueId: "i-1", answer: "rebutted", reason: "Seas sells." }],
  };
  const answers = [{ issue_id: "i-1", answer: "rebutted", reason: "Seas sells." }];

  it.each([
    { content: slogan, done: true, answers },
    { text: slogan, done: true, answers, asset_id: "slogan" },
    { candidate: slogan, done: true, answers },
    { creator: { content: slogan, done: true, answers } },
    { creator: { candidate: { candidate_id: "made-up", content: slogan }, done: true, answers } },
    {
      content: slogan,
      done: true,
      answers: [...answers, 7, { issue_id: "i-2", answer: "perhaps" }],
    },
    { content: slogan, done: true, answers, created_at: "1999-01-01", iteration: 9 },
  ])("is read in any of its shapes: %j", (object) => {
    expect(readCreatorReply(JSON.stringify(object), structured)).toEqual({ kind: "read", reply });
  });

  it.each([1, "yes", "no", {}])("is asked again where done is %j, and is then not done", (done) => {
    const text = JSON.stringify({ content: slogan, done });
    expect(readCreatorReply(text, structured)).toMatchObject({
      error: '"done" must be true or false',
    });
    const repair = { error: "", text: "" };
    expect(readCreatorReply(text, { ...structured, repair })).toMatchObject({
      reply: { done: false },
    });
  });

  it.each([
    [1, true],
    ["yes", true],
    [0, false],
    ["", false],
  ])("a script's done of %j is %j, as in the language that scripts come from", (done, is) => {
    const text = JSON.stringify({ content: slogan, done });
    expect(readCreatorReply(text, structured, "script")).toMatchObject({ reply: { done: is } });
  });

  it("has the format that it names, and is unreadable for another asset or an unknown format", () => {
    const task = { ...structured, assetId: "slug" };
    const read = (candidate: object) =>
      readCreatorReply(
        JSON.stringify({ done: true, candidate: { content: slogan, ...candidate } }),
        task,
      );
    expect(read({ format: "html", asset_id: "slug" })).toMatchObject({ reply: { format: "html" } });
    expect(read({ asset_id: "description" })).toMatchObject({
      error: 'the text is for asset "description", not "slug"',
    });
    expect(read({ format: "docx" })).toMatchObject({ kind: "unreadable" });
  });

  it("is not done unless it says so", () => {
    expect(readCreatorReply(JSON.stringify({ content: slogan }), structured)).toMatchObject({
      reply: { done: false },
    });
  });

  it("keeps unknown keys in raw and leaves the prototype alone", () => {
    const text = `{"content":"${slogan}","done":true,"mood":{"sea":1},"__proto__":{"polluted":1}}`;
    expect(readCreatorReply(text, structured)).toMatchObject({ raw: { mood: { sea: 1 } } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("is prose and not done when there is no JSON at all", () => {
    expect(readCreatorReply(`Here is the draft: ${slogan}`, structured)).toEqual({
      kind: "read",
      reply: { content: slogan, done: false, answers: [] },
    });
  });

  it("is unreadable when it is cut, empty or without a text", () => {
    const text = writeCreatorReply(reply, "structured");
    expect(readCreatorReply(text.slice(0, -1), structured).kind).toBe("unreadable");
    expect(readCreatorReply('{"done":true}', structured).kind).toBe("unreadable");
    expect(readCreatorReply('{"content":" "}', structured).kind).toBe("unreadable");
    expect(readCreatorReply("", structured).kind).toBe("unreadable");
  });
});

const storable = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .filter((text) => cleanText(text) === text);

describe("writing and reading", () => {
  it("gives the structured reply back", () => {
    const answer = fc.record(
      {
        issueId: storable,
        answer: fc.constantFrom("fixed" as const, "rebutted" as const, "deferred" as const),
        reason: storable,
      },
      { requiredKeys: ["issueId", "answer"] },
    );
    const reply = fc.record({
      content: storable.filter((text) => !isBlank(text)),
      done: fc.boolean(),
      answers: fc.array(answer, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(reply, (each) => {
        const read = readCreatorReply(writeCreatorReply(each, "structured"), structured);
        expect(read).toEqual({ kind: "read", reply: each });
      }),
    );
  });

  it.each(['"Quoted"', "Slogan: twice", "```\nfenced\n```", "'Tis", "“a” and “b”"])(
    "gives the plain text back, also when it looks wrapped: %j",
    (content) => {
      const reply = { content, done: true, answers: [] };
      expect(readCreatorReply(writeCreatorReply(reply, "plain"), plain)).toEqual({
        kind: "read",
        reply,
      });
    },
  );

  it("gives any trimmed plain text back", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
      .filter((each) => cleanText(stripReasoning(each)) === each && /[\p{L}\p{N}]/u.test(each));
    fc.assert(
      fc.property(text, (content) => {
        const reply = { content, done: true, answers: [] };
        expect(readCreatorReply(writeCreatorReply(reply, "plain"), plain)).toEqual({
          kind: "read",
          reply,
        });
      }),
    );
  });

  it("never throws, whatever a model sends", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        for (const task of [plain, structured]) {
          expect(["read", "unreadable"]).toContain(readCreatorReply(text, task).kind);
        }
      }),
    );
  });
});

describe("a line that may not hold markdown", () => {
  const line = { reply: "plain", maxCharacters: 500, removesMarks: true } as const;

  it.each([
    ["**Sip Smart**", "Sip Smart"],
    ['**"Sip Smart"**', "Sip Smart"],
    ['"**Sip Smart**"', "Sip Smart"],
    ["*Sip Smart*", "Sip Smart"],
    ["__Sip__ Smart", "Sip Smart"],
    ["# Sip Smart", "Sip Smart"],
    ["Slogan: **Sip Smart**", "Sip Smart"],
    ["5 * 4 * 3: Sip Smart", "5 * 4 * 3: Sip Smart"],
    ["snake_case is smart_er", "snake_case is smart_er"],
  ])("%j is read as %j", (said, content) => {
    expect(readCreatorReply(said, line)).toMatchObject({ kind: "read", reply: { content } });
  });

  it("is read as it always was in runs of older versions", () => {
    const old = { reply: "plain", maxCharacters: 500 } as const;
    expect(readCreatorReply("**Sip Smart**", old)).toMatchObject({
      reply: { content: "**Sip Smart**" },
    });
  });
});
