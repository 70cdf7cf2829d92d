import { expect, it } from "vitest";
import { type Entry, findEntries } from "./find-entries.ts";

const entry = (kind: Entry["kind"], text: string): Entry => ({ id: text, kind, text, to: {} });
const shop = [
  entry("Page", "Inbox"),
  entry("Pack", "The shop's books"),
  entry("Note", "notes/bookkeeping.md"),
  entry("Run", "a new shop window"),
];
const texts = (words: string): readonly string[] =>
  findEntries(shop, words).map(({ text }) => text);

it("keeps the order of the list until something is typed", () => {
  expect(texts("")).toEqual(shop.map(({ text }) => text));
});

it("puts the beginning of an entry before a word inside it", () => {
  expect(texts("book")).toEqual(["The shop's books", "notes/bookkeeping.md"]);
  expect(texts("shop")).toEqual(["The shop's books", "a new shop window"]);
});

it("needs every word, and the kind is one of them", () => {
  expect(texts("shop pack")).toEqual(["The shop's books"]);
  expect(texts("shop zebra")).toEqual([]);
});
