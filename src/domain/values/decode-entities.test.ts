import { expect, it } from "vitest";
import { decodeEntities } from "./decode-entities.ts";

it.each([
  ["&#58;&#x3A;&#X3a;&colon;&COLON;", ":::::"],
  ["&#x50;&#65;SS", "PASS"],
  ["&#x1F41D;", "🐝"],
  ["&#0;&#x110000;&#xyz;&other;&#12345678;", "&#0;&#x110000;&#xyz;&other;&#12345678;"],
  ["a & b; AT&T", "a & b; AT&T"],
])("%s is read as %s", (text, plain) => {
  expect(decodeEntities(text, { colon: ":" })).toBe(plain);
});
