import { expect, it } from "vitest";
import type { NoteParts } from "./note-parts.ts";
import {
  newWordsInDescription,
  titleWordsInBody,
  unexplainedAbbreviations,
  unlinkedFigures,
} from "./note-wording.ts";

const note = (text: string, more: object = {}) =>
  ({ prose: [{ text, line: 3 }], links: [], ...more }) as unknown as NoteParts;

it.each([
  ["It grew by 5%. It is good.", ["It grew by 5%."]],
  ["It grew by 1.25 Percent.", ["It grew by 1.25 Percent."]],
  ["They are 3,5 million people.", ["They are 3,5 million people."]],
  ["It is worth 2billion.", ["It is worth 2billion."]],
  ["The percent sign is %.", []],
  ["It cost 12 euros.", []],
])("figures without a source in %j", (text, quotes) => {
  expect(unlinkedFigures(note(text)).map(({ quote }) => quote)).toEqual(quotes);
});

it("leaves figures of a paragraph with a link alone, from its first to its last line", () => {
  const text = "It grew by 5%.\nSee here.";
  const found = (line: number) => unlinkedFigures(note(text, { links: [{ line }] })).length;
  expect([2, 3, 4, 5].map(found)).toEqual([1, 0, 0, 1]);
});

it.each([
  ["The API and the API again.", ["API"]],
  ["The API (interface).", []],
  ["The interface (API). API.", []],
  ["AB ABC ABCDEF ABCDEFG.", ["ABC", "ABCDEF"]],
])("abbreviations that nothing explains in %j", (text, shorts) => {
  expect(unexplainedAbbreviations(note(text), 3)).toEqual(
    shorts.map((short) => ({ said: `${short} is never spelled out.`, quote: short, line: 3 })),
  );
});

it("counts the words of the title that the body has", () => {
  const found = (title: string | undefined, percent: number) =>
    titleWordsInBody(note("Desks were delivered.", { title }), percent);
  const said = "1 of 2 words of the title occur in the body.";
  expect(found("Desk prices", 51)).toEqual([{ said, quote: "Desk prices" }]);
  expect(found("Desk prices", 50)).toEqual([]);
  expect(found("Delivery of a desk", 100)).toEqual([]);
  expect(found("To be", 100)).toEqual([]);
  expect(found(undefined, 100)).toEqual([]);
});

it("counts the words of the description that the title does not have", () => {
  const found = (description: string | undefined, least: number) =>
    newWordsInDescription(note("", { title: "Desk prices", description }), least);
  expect(found("The price of desks today", 2)).toEqual([
    { said: "The description repeats the title.", quote: "The price of desks today" },
  ]);
  expect(found("The price of desks today", 1)).toEqual([]);
  expect(found(undefined, 9)).toEqual([]);
});
