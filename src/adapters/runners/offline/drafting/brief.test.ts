import { describe, expect, it } from "vitest";
import { readBrief } from "./brief.ts";

describe("readBrief", () => {
  it.each([
    ["eco-friendly water bottles", "water bottles"],
    ["an app that reminds people to stretch", "app"],
    ["handmade leather shoes for children", "handmade leather shoes"],
    ["Write a slogan for a new kind of alarm clock", "alarm clock"],
    ["an AI assistant", "AI assistant"],
    ["a bakery called Krume", "Krume"],
    ["Nimbus, a weather app", "Nimbus"],
    ["LOUD BIKES", "loud bikes"],
    ['{"product": "water bottles", "tone": "fun"}', "water bottles"],
    ["\u001b[31mred\u001b[0m lamps", "red lamps"],
    ["SHIP IT! umbrellas", "umbrellas"],
  ])("finds in %j the product %j", (brief, product) => {
    expect(readBrief(brief).product).toBe(product);
  });

  it.each(["", "🚲🔥", "???", "SHIP IT!", "x".repeat(1000)])("finds no product in %j", (brief) => {
    const facts = readBrief(brief);
    expect(facts.product).toBeUndefined();
    expect(facts.anchors.size).toBe(0);
  });
});
