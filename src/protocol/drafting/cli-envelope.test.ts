import { expect, it } from "vitest";
import { unwrapEnvelope } from "./cli-envelope.ts";

const result = (text: string, more = {}) =>
  JSON.stringify({ type: "result", result: text, ...more });
const assistant = (...texts: readonly string[]) =>
  JSON.stringify({ type: "assistant", message: { content: texts.map((text) => ({ text })) } });
const item = (text: string) =>
  JSON.stringify({ type: "item.completed", item: { type: "agent_message", text } });
const old = (message: string) => JSON.stringify({ msg: { type: "agent_message", message } });
const lines = (...events: readonly string[]) => `${events.join("\n")}\n`;

it.each([
  ["a result", result("Yes"), "Yes", "Yes"],
  ["a result that is an error", result("Yes", { is_error: true }), "", ""],
  ["a result that is no error", result("Yes", { is_error: false }), "Yes", "Yes"],
  ["a list of events", `[${assistant("Wait")},${result("Yes")}]`, "Yes", "Wait\n\nYes"],
  ["a result said before", `[${assistant("Yes")},${result("Yes")}]`, "Yes", "Yes"],
  ["a message in two parts", `[${assistant("A", "B")},${result("C")}]`, "C", "A\n\nB\n\nC"],
  ["messages without a result", lines(item("A"), item("B")), "B", "A\n\nB"],
  ["messages of the old form", lines(old("A"), "", old("B")), "B", "A\n\nB"],
  ["a start without any message", lines('{"type":"thread.started"}', '{"type":"x"}'), "", ""],
])("unwraps %s", (_, text, last, all) => {
  expect(unwrapEnvelope(text)).toBe(last);
  expect(unwrapEnvelope(` ${text}`, "all")).toBe(all);
});

it.each([
  'He wrote "type" and nothing else.',
  '{"verdict":"ok"}',
  '{"type":"other"}',
  '[{"type":"other"}]',
  '{"msg":{"type":"task_started","message":"A"}}',
  '{"type":"item.completed","item":{"type":"reasoning","text":"A"}}',
  '{"type":"result","result":7}',
  `${item("A")}\nand then prose`,
  `${item("A")}\n{"type":"item.comp`,
  ` ${'{"type":"other"}'} `,
])("returns %j as it is", (text) => {
  expect(unwrapEnvelope(text)).toBe(text);
  expect(unwrapEnvelope(text, "all")).toBe(text);
});
