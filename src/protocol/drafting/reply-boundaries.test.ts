import { describe, expect, it } from "vitest";
import { readApproval } from "./approval.ts";
import { readCreatorReply } from "./creator-reply.ts";
import { findJson } from "./json-reply.ts";
import { plainText, withoutMarks } from "./plain-text.ts";
import { splitReasoning, stripReasoning } from "./reasoning.ts";
import { readReviewerReply, settleSignature, writeReviewerReply } from "./reviewer-reply.ts";

const shown = { phrase: "SHIP IT", brief: "Bottles", text: "Green" };
const byPhrase = { ...shown, approval: "phrase" } as const;
const byJson = { ...shown, approval: "structured" } as const;
const json = (value: object) => readReviewerReply(JSON.stringify(value), byJson);

describe("an approval by phrase", () => {
  it.each([
    ["SHIP IT!", "approved"],
    [`SHIP IT!${" ".repeat(400)}`, "approved"],
    [`SHIP IT${"!".repeat(393)}`, "approved"],
    [`SHIP IT${"!".repeat(394)}`, "unclear"],
    ["\u{FEFF}SHIP IT", "approved"],
    ["S\u0301HIP IT", "unclear"],
    ["SHIP-IT", "unclear"],
    ["SHIP\n\nIT", "unclear"],
    ["SHIP\nIT", "approved"],
    ["Great. SHIP IT. Lovely", "unclear"],
    ["Great, SHIP IT", "approved"],
    ["This is great. SHIP IT", "approved"],
    ["Is it great, SHIP IT.", "unclear"],
    ["This SHIP IT is great.", "unclear"],
    ["SHIP IT when done.", "unclear"],
    ["SHIP IT...", "unclear"],
    ["SHIP ITS", "not_approved"],
    ["WORSHIP IT", "not_approved"],
    ["<think>x</think>SHIP IT", "approved"],
    ["SHIP IT <think>x</think>", "unclear"],
    ["SHIP IT <think>", "unclear"],
    ["<think>SHIP IT", "unclear"],
    ["", "unclear"],
  ])("%j is %s", (reply, approval) => {
    expect(readApproval(reply)).toBe(approval);
  });

  it("is the phrase alone where the brief, the text or the criteria hold it", () => {
    for (const context of [
      { brief: "ship it" },
      { candidate: "Ship it" },
      { criteria: "SHIP-IT" },
    ]) {
      expect(readApproval("SHIP IT!", context)).toBe("approved");
      expect(readApproval("Great. SHIP IT!", context)).toBe("unclear");
    }
    expect(readApproval("Great. SHIP IT!", { brief: "a ship", candidate: "it" })).toBe("approved");
  });

  it("takes the marks in a phrase as they are", () => {
    expect(readApproval("a.b done", { phrase: "A.B" })).toBe("unclear");
    expect(readApproval("a b", { phrase: "" })).toBe("not_approved");
  });
});

describe("a review in JSON", () => {
  it.each([
    [{ verdict: "ok", note: "" }],
    [{ verdict: "ok", note: null, kept: [] }],
    [{ verdict: "ok", iteration: 3, review_id: 7, created_at: "2026-11-17" }],
    [{ verdict: "ok", closed: ["i-1", "i-2"] }],
    [{ verdict: "ok", approved: true }],
  ])("signs with %j", (value) => {
    expect(json(value)).toMatchObject({ kind: "read", reply: { verdict: "ok" } });
  });

  it.each([
    [{ verdict: "ok", summary: "But shorten it." }, "But shorten it."],
    [{ verdict: "ok", note: "But" }, 'note: "But"'],
    [{ verdict: "ok", score: 3, kept: ["i-1"] }, 'score: 3\nkept: ["i-1"]'],
    [{ verdict: "ok", closed: ["i 1"] }, 'closed: ["i 1"]'],
    [{ verdict: "ok", closed: [1] }, "closed: [1]"],
    [{ verdict: "ok", closed: "i-1" }, undefined],
    [{ verdict: "ok", reviewer: "not me" }, 'reviewer: "not me"'],
    [{ verdict: "ok", reviewer: "x".repeat(81) }, `reviewer: "${"x".repeat(81)}"`],
    [{ verdict: "ok", markers: ["a", "b"] }, 'markers: ["a","b"]'],
    [{ verdict: "ok", review: { verdict: "ok" } }, 'outer_verdict: "ok"'],
    [{ summary: "But", review: { verdict: "ok" } }, "But"],
    [{ verdict: "ok", approved: "once the date is right" }, 'approved: "once the date is right"'],
    [{ verdict: "ok", approved: 0 }, "approved: 0"],
    [{ verdict: ["changes_requested"], approved: true }, 'verdict: ["changes_requested"]'],
    [{ verdict: false, approved: true }, "verdict: false"],
    [{ verdict: "ok", closed: ["日付を直してから"] }, 'closed: ["日付を直してから"]'],
    [
      { summary: "But", outer_summary: "", review: { verdict: "ok", summary: "" } },
      'outer_outer_summary: "But"',
    ],
  ])("asks again where %j comes with something", (value, beside) => {
    expect(json(value)).toMatchObject(
      beside === undefined ? { kind: "unreadable" } : { kind: "unclear", beside },
    );
  });

  it("signs with the markers that were asked for, in their order", () => {
    const task = { ...byJson, markers: ["a1", "b2"] } as const;
    const reply = (markers: readonly string[]) =>
      readReviewerReply(JSON.stringify({ verdict: "ok", markers }), task).kind;
    expect(reply(["a1", "b2"])).toBe("read");
    expect(reply(["b2", "a1"])).toBe("unclear");
  });

  it.each([
    [{ verdict: "ok", issues: "none" }, '"issues" is not a list'],
    [{ verdict: "ok", kept: "none" }, '"kept" is not a list'],
    [{ verdict: "ok", closed: {} }, '"closed" is not a list'],
    [{ verdict: "ok", issues: 1, kept: 1 }, '"issues" is not a list'],
    [{ issues: [] }, "the JSON object has no verdict"],
  ])("cannot be read: %j", (value, error) => {
    expect(json(value)).toEqual({ kind: "unreadable", error });
  });

  it("joins the issues inside and beside a member of its own, and keeps what both name", () => {
    const value = {
      issues: ["Outer"],
      score: 1,
      review: { verdict: "changes_requested", issues: ["Inner"], score: 2 },
    };
    expect(json(value)).toEqual({
      kind: "read",
      reply: {
        verdict: "changes_requested",
        issues: [
          { severity: "error", message: "Outer" },
          { severity: "error", message: "Inner" },
        ],
        kept: [],
        closed: [],
        score: 2,
      },
      raw: { outer_score: 1 },
    });
    expect(json({ review: "none", verdict: "reject" })).toMatchObject({ raw: { review: "none" } });
  });

  it("objects with the object that has most issues", () => {
    const object = (...issues: readonly string[]) =>
      JSON.stringify({ verdict: "changes_requested", issues });
    expect(
      readReviewerReply(`${object("a")} ${object("b", "c")} ${object("d", "e")}`, byJson),
    ).toMatchObject({ reply: { issues: [{ message: "b" }, { message: "c" }] } });
  });

  it("takes prose that sounds like an approval for a question, and other prose for feedback", () => {
    const other = { ...byJson, phrase: "GO" };
    for (const text of ["Approved.", "I would accept this", "LGTM", "Okay then", "We go."])
      expect(readReviewerReply(text, other).kind, text).toBe("unclear");
    for (const text of ["Too vague.", "Unacceptable", "We are going."])
      expect(readReviewerReply(text, other).kind, text).toBe("read");
    expect(readReviewerReply("We go.", { ...byJson, phrase: "NO" }).kind).toBe("read");
  });
});

describe("the reply to the signature question", () => {
  const first = json({ verdict: "ok", summary: "But", issues: ["Long"] });
  if (first.kind !== "unclear") throw new Error("clear");

  it("keeps what came first beside a bare approval", () => {
    const signature = { how: "asked", beside: first.beside };
    expect(settleSignature(first, json({ verdict: "ok" }))).toMatchObject({
      verdict: "ok",
      signature,
      summary: first.beside,
    });
    const withSummary = readReviewerReply("SHIP IT! Great job.", byPhrase);
    expect(settleSignature(first, withSummary)).toMatchObject({ summary: "Great job." });
  });

  it("adds a refusal to what came first", () => {
    const signature = { how: "refused", beside: first.beside };
    const second = json({ verdict: "reject", issues: ["Vague"], kept: ["i-1"], summary: "No" });
    const settled = settleSignature(first, second);
    expect(settled).toMatchObject({ verdict: "changes_requested", kept: ["i-1"], signature });
    expect(settled.issues.map(({ message }) => message)).toEqual(["Long", first.beside, "Vague"]);
    expect(settled.summary).toBe(`${first.beside}\n\nNo`);
    expect(settleSignature(first, json({}))).toEqual({ ...first.reply, signature });
    expect(settleSignature(first, first)).toMatchObject({ verdict: "changes_requested" });
  });
});

it("writes feedback as its messages, or its summary, or a plain no", () => {
  const reply = { verdict: "changes_requested", issues: [], kept: [], closed: [] } as const;
  const issues = [
    { severity: "error", message: "Long" },
    { severity: "error", message: "Vague" },
  ] as const;
  expect(writeReviewerReply({ ...reply, issues, summary: "No" }, "phrase", "GO")).toBe(
    "Long\nVague",
  );
  expect(writeReviewerReply({ ...reply, summary: "No" }, "phrase", "GO")).toBe("No");
  expect(writeReviewerReply(reply, "phrase", "GO")).toBe("Not yet.");
  const ok = { ...reply, verdict: "ok" } as const;
  expect(writeReviewerReply(ok, "phrase", "GO")).toBe("GO!");
  expect(writeReviewerReply(ok, "phrase", "GO!")).toBe("GO!");
  expect(writeReviewerReply({ ...ok, summary: "Great." }, "phrase", "GO")).toBe("GO!\n\nGreat.");
  expect(writeReviewerReply({ ...ok, summary: "But no." }, "phrase", "GO")).toBe("GO!");
});

it.each([
  ["```\nGreen\n```", "Green"],
  ["~~~md\nGreen\n~~~", "Green"],
  ["```\nGreen\n```\nmore", "```\nGreen\n```\nmore"],
  ["```\na\n```\nb\n```", "```\na\n```\nb\n```"],
  ["Slogan: Green", "Green"],
  ["**Final draft:** Green", "Green"],
  ["Slogan:", "Slogan:"],
  ["Slogan: ``", "``"],
  ['"Green"', "Green"],
  ["„Grün“", "Grün"],
  ['"Green" and "clean"', '"Green" and "clean"'],
  ['""', '""'],
  ['"', '"'],
])("the text of %j is %j", (reply, text) => {
  expect(plainText(reply)).toBe(text);
});

it.each([
  ["# Green", "Green"],
  ["**Green** and __clean__", "Green and clean"],
  ["*Green*", "Green"],
  ["***Green***", "Green"],
  ["** Green **", "Green"],
  ["*Green* and *clean*", "Green and clean"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ['**"Green"**', "Green"],
  ['"Green"', '"Green"'],
  ["a*b*c", "a*b*c"],
])("without marks %j is %j", (line, bare) => {
  expect(withoutMarks(line)).toBe(bare);
});

it.each([
  ["<think>a<think>b</think>c</think>Yes", "Yes", true],
  ["<think>a</think>\n<reasoning>b</reasoning> Yes ", "Yes", true],
  ["<think>a</think>Yes <think>b</think>", "Yes <think>b</think>", false],
  ["<think>a", "", false],
  ["<think>a</reasoning>Yes", "", false],
])("splits the reasoning off %j", (text, spoken, isWhole) => {
  expect(splitReasoning(text)).toEqual({ spoken, isWhole });
});

it.each([
  ["```thinking\na\n```\nYes", "Yes"],
  ["```scratchpad\na\n```\n~~~analysis\nb\n~~~\nYes", "Yes"],
  ["```thinking\na", ""],
  ["```md\na\n```", "```md\na\n```"],
  ["a</think>Yes", "Yes"],
  ["a<think>b</think>c", "a\nc"],
  ["[THINK]a[/THINK]Yes", "Yes"],
])("strips the reasoning of %j", (text, spoken) => {
  expect(stripReasoning(text)).toBe(spoken);
});

it.each([
  ['{"a":"b\nc",}', [{ a: "b\nc" }]],
  ['{"a":[1,2,],}', [{ a: [1, 2] }]],
  ['x {"a":"\\"}"} y [{"b":1},2] z', [{ a: '"}' }, { b: 1 }]],
  ['{"a":"{"}', [{ a: "{" }]],
  ['{"a\\u0062":1}', [{ ab: 1 }]],
])("finds the objects in %j", (text, objects) => {
  expect(findJson(text)).toEqual({ kind: "found", objects });
});

it.each([
  ['{"a":1,"\\u0061":2}', 'the key "\\u0061" occurs twice in one JSON object'],
  ['{"a":1', "the JSON object is cut off before its end"],
  ['{"a":"b', "the JSON object is cut off before its end"],
  ['{"a":b}', "the JSON object is not valid JSON"],
  ['{ a: {"b":1} }', "the JSON object is inside braces that are not JSON"],
  [`{"a":${"[".repeat(64)}${"]".repeat(64)}}`, "the JSON object is nested deeper than 64 levels"],
])("does not trust %j", (text, error) => {
  expect(findJson(text)).toEqual({ kind: "broken", error });
});

it("takes 64 levels, and keys that repeat in other objects", () => {
  expect(findJson(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`).kind).toBe("found");
  expect(findJson('{"a":{"a":1},"b":["a","a"]}').kind).toBe("found");
});

describe("a creator's reply in JSON", () => {
  const task = { reply: "structured", maxCharacters: 10, assetId: "draft" } as const;
  const read = (value: object) => readCreatorReply(JSON.stringify(value), task);

  it.each([
    [{ content: "a", format: "rtf" }, 'the format "rtf" is not markdown, plain or html'],
    [{ content: "a", asset_id: "b" }, 'the text is for asset "b", not "draft"'],
    [{ content: "a", done: "yes" }, '"done" must be true or false'],
    [{ content: "a".repeat(11) }, "the text has 11 characters; at most 10 are allowed"],
    [{ content: " " }, "the reply holds no text"],
    [{ done: true }, 'the JSON object has no text under "content"'],
  ])("cannot be used: %j", (value, error) => {
    expect(read(value)).toEqual({ kind: "unreadable", error });
  });

  it("answers issues that it names, in words that are known", () => {
    const answers = [
      { issue_id: "i-1", answer: " Fixed ", reason: "Done" },
      { id: "i-2", status: "wontfix" },
      { answer: "fixed" },
      { issue_id: "i-3", answer: "perhaps" },
      "fixed",
    ];
    expect(read({ content: "a".repeat(10), answers, format: "html", other: 1 })).toEqual({
      kind: "read",
      reply: {
        content: "a".repeat(10),
        done: false,
        format: "html",
        answers: [
          { issueId: "i-1", answer: "fixed", reason: "Done" },
          { issueId: "i-2", answer: "rebutted" },
        ],
      },
      raw: { other: 1 },
    });
  });
});
