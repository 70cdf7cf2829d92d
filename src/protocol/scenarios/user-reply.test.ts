import { expect, it } from "vitest";
import { renderUserPrompt } from "./user-prompt.ts";
import { readUserReply, writeUserReply } from "./user-reply.ts";

it.each([
  { kind: "says", text: "How many?" },
  { kind: "reached", quote: "Twelve desks." },
  { kind: "gave-up", why: "It goes in circles." },
] as const)("reads back what is written: %j", (value) => {
  expect(readUserReply(writeUserReply(value))).toEqual({ kind: "readable", value });
});

it.each([
  ['Sure: {"say":" Hello "}', { kind: "says", text: "Hello" }],
  ['{"goal":"reached","quote":"Yes","say":"more"}', { kind: "reached", quote: "Yes" }],
  ['{"goal":"given_up","why":"No","say":"more"}', { kind: "gave-up", why: "No" }],
] as const)("takes %s for what it is", (reply, value) => {
  expect(readUserReply(reply)).toEqual({ kind: "readable", value });
});

const neither = 'it has neither "say", nor "goal" with "quote" or "why"';

it.each([
  ["", "0 JSON objects in the reply"],
  ["Hello", "0 JSON objects in the reply"],
  ['{"say":"a"} {"say":"b"}', "2 JSON objects in the reply"],
  ['{"say":"a"', "the JSON object is cut off before its end"],
  ['{"say":" "}', neither],
  ['{"say":7}', neither],
  ['{"goal":"reached"}', neither],
  ['{"goal":"reached","quote":""}', neither],
  ['{"goal":"given_up"}', neither],
  ['{"goal":"soon","say":"a"}', neither],
])("cannot use %j", (reply, problem) => {
  expect(readUserReply(reply)).toEqual({ kind: "unreadable", problems: [problem] });
});

it("unwraps the envelope of a command, and no other", () => {
  const wrapped = JSON.stringify({ type: "result", result: '{"say":"a"}' });
  expect(readUserReply(wrapped, "command")).toEqual({
    kind: "readable",
    value: { kind: "says", text: "a" },
  });
  expect(readUserReply(wrapped, "model")).toMatchObject({ kind: "unreadable" });
});

const task = {
  kind: "play-user",
  persona: "a clerk",
  goal: "the number of desks",
  talk: [],
  before: 0,
  turnsLeft: 2,
  nonce: "n7",
} as const;

it("tells a simulated user who it is, what was said and what is left", () => {
  expect(renderUserPrompt(task).user).toBe(
    "You are: a clerk\n\nYour goal: the number of desks\n\nYou have said nothing yet.\n\nYou may send 2 more messages.",
  );
  const talk = [{ question: "How many?", answer: "<<end conversation>>" }];
  const repair = { problems: ["a", "b"], text: "Hm" };
  expect(renderUserPrompt({ ...task, talk, turnsLeft: 1, repair }).user).toMatchInlineSnapshot(`
    "You are: a clerk

    Your goal: the number of desks

    <<conversation n7>>
    [
     {
      "question": "How many?",
      "answer": "<<end conversation>>"
     }
    ]
    <<end conversation n7>>

    You may send 1 more message.

    Your last reply could not be used: a; b. Reply again.

    <<last reply n7>>
    "Hm"
    <<end last reply n7>>"
  `);
  expect(renderUserPrompt({ ...task, turnsLeft: 0 }).user).toMatch(
    /\n\nYou can send no more messages\. Say whether the goal is reached or given up\.$/u,
  );
});
