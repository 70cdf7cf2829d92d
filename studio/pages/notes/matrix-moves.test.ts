import { expect, it } from "vitest";
import { moved, within } from "./matrix-moves.ts";

const source = { notes: Array.from({ length: 50 }, (_, at) => `${at}.md`), gates: ["a", "b", "c"] };
const from = { note: 30, gate: 1 };
const press = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean } = {}, at = from) =>
  moved(at, { key, ctrlKey: false, metaKey: false, ...held }, source);

it.each([
  ["ArrowDown", { note: 31, gate: 1 }],
  ["ArrowUp", { note: 29, gate: 1 }],
  ["ArrowRight", { note: 30, gate: 2 }],
  ["ArrowLeft", { note: 30, gate: 0 }],
  ["PageDown", { note: 49, gate: 1 }],
  ["PageUp", { note: 10, gate: 1 }],
  ["Home", { note: 30, gate: 0 }],
  ["End", { note: 30, gate: 2 }],
])("%s moves within the matrix", (key, to) => {
  expect(press(key)).toEqual(to);
});

it("goes to the corners with Ctrl or Command", () => {
  expect(press("Home", { ctrlKey: true })).toEqual({ note: 0, gate: 0 });
  expect(press("End", { metaKey: true })).toEqual({ note: 49, gate: 2 });
});

it("stays where it is at an edge, and leaves other keys alone", () => {
  expect(press("ArrowUp", {}, { note: 0, gate: 0 })).toEqual({ note: 0, gate: 0 });
  expect(press("ArrowRight", {}, { note: 3, gate: 2 })).toEqual({ note: 3, gate: 2 });
  expect(press("Tab")).toBeUndefined();
});

it("takes the nearest cell that a filter has left", () => {
  expect(within({ note: 30, gate: 2 }, { notes: ["0.md"], gates: ["a", "b"] })).toEqual({
    note: 0,
    gate: 1,
  });
  expect(within({ note: 30, gate: 2 }, { notes: [], gates: [] })).toEqual({ note: 0, gate: 0 });
});
