import { describe, expect, it } from "vitest";
import { readBrief } from "./brief-facts.ts";

describe("readBrief", () => {
  it.each([
    ["eco-friendly water bottles", "water bottles"],
    ["an app that reminds people to stretch", "app"],
    ["handmade leather shoes for children", "handmade leather shoes"],
    ["We sell freshly baked bread", "baked bread"],
    ["coffee delivered daily", "coffee"],
    ["Write a slogan for a new kind of alarm clock", "alarm clock"],
    ["an AI assistant", "AI assistant"],
    ["a family dentist", "family dentist"],
    ["a bakery called Krume", "Krume"],
    ["Nimbus, a weather app", "Nimbus"],
    ["LOUD BIKES", "loud bikes"],
    ['{"product": "water bottles", "tone": "fun"}', "water bottles"],
    ["\u001b[31mred\u001b[0m lamps", "red lamps"],
    ["nachhaltige Trinkflaschen für Kinder", "Trinkflaschen"],
    ["bouteilles d'eau pour les enfants", "bouteilles"],
    ["экологичные бутылки для воды", "бутылки"],
    ["SHIP IT! umbrellas", "umbrellas"],
  ])("finds in %j the product %j", (brief, product) => {
    expect(readBrief(brief).product?.words).toBe(product);
  });

  it.each(["", "🚲🔥", "???", "SHIP IT!", "x".repeat(1000)])("finds no product in %j", (brief) => {
    const facts = readBrief(brief);
    expect(facts.product).toBeUndefined();
    expect(facts.anchors.size).toBe(0);
  });

  it.each([
    ["solar panels", "green"],
    ["a budgeting app", "money"],
    ["wooden toys", "kids"],
    ["a thing", "general"],
  ])("sees what %j is about", (brief, theme) => {
    expect(readBrief(brief).themes.map(({ name }) => name)).toContain(theme);
  });

  it("believes in an audience only if it is people", () => {
    expect(readBrief("yoga classes for busy parents").audience).toBe("busy parents");
    expect(readBrief("shoes for running").audience).toBeUndefined();
  });
});
