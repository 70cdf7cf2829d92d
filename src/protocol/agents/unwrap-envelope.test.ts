import { expect, it } from "vitest";
import { unwrapEnvelope } from "./unwrap-envelope.ts";

const result = (text: string, more = {}) =>
  JSON.stringify({ type: "result", result: text, ...more });
const assistant = (...texts: readonly string[]) =>
  JSON.stringify({ type: "assistant", message: { content: texts.map((text) => ({ text })) } });
const item = (text: string) =>
  JSON.stringify({ type: "item.completed", item: { type: "agent_message", text } });
const completed = '{"type":"turn.completed"}';
const failed = '{"type":"turn.failed","error":{"message":"no"}}';
const lines = (...events: readonly string[]) => `${events.join("\n")}\n`;

it.each([
  ["a result", result("Yes"), "Yes", "Yes"],
  ["a result that is no error", result("Yes", { is_error: false }), "Yes", "Yes"],
  ["a list of events", `[${assistant("Wait")},${result("Yes")}]`, "Yes", "Wait\n\nYes"],
  ["events one a line", lines(assistant("Wait"), result("Yes")), "Yes", "Wait\n\nYes"],
  ["a result said before", `[${assistant("Yes")},${result("Yes")}]`, "Yes", "Yes"],
  ["a message in two parts", `[${assistant("A", "B")},${result("C")}]`, "C", "A\n\nB\n\nC"],
  ["a completed turn", lines(item("A"), "", item("B"), completed), "B", "A\n\nB"],
])("unwraps %s", (_, text, last, all) => {
  expect(unwrapEnvelope(text)).toBe(last);
  expect(unwrapEnvelope(` ${text}`, "all")).toBe(all);
});

it.each([
  ["an error", result("Yes", { is_error: true })],
  ["an error behind messages", `[${assistant("Yes")},{"type":"result","is_error":true}]`],
  [
    "a limit behind messages",
    `[${assistant("Yes")},{"type":"result","subtype":"error_max_turns"}]`,
  ],
  ["messages alone", `[${assistant("Yes")},${assistant("Yes")}]`],
  ["a turn that failed", lines(item("Yes"), failed)],
  ["a turn that never ended", lines('{"type":"thread.started"}', item("Yes"))],
  ["a turn without messages", lines('{"type":"thread.started"}', completed)],
])("finds no reply in %s", (_, text) => {
  expect(unwrapEnvelope(text)).toBe("");
  expect(unwrapEnvelope(text, "all")).toBe("");
});

it.each([
  'He wrote "type" and nothing else.',
  '{"verdict":"ok"}',
  '{"type":"other"}',
  '[{"type":"other"}]',
  '{"type":"result","result":7}',
  `${item("A")}\nand then prose`,
  `${item("A")}\n{"type":"item.comp`,
  ` ${'{"type":"other"}'} `,
  result("Yes", { verdict: "changes_requested" }),
  result("Yes", { issues: ["Vague"] }),
  lines('{"verdict":"changes_requested"}', item("Yes"), completed),
])("returns %j as it is", (text) => {
  expect(unwrapEnvelope(text)).toBe(text);
  expect(unwrapEnvelope(text, "all")).toBe(text);
});
