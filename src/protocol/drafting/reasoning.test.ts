import { describe, expect, it } from "vitest";
import { splitReasoning, stripReasoning } from "./reasoning.ts";

describe("reasoning is taken out of a reply", () => {
  it.each([
    ["a closed think block", "<think>SHIP IT? no</think>Make it punchier", "Make it punchier"],
    ["other tag names in any case", "<Thinking>hm</Thinking>\nHydrate Green", "Hydrate Green"],
    ["a reasoning tag with attributes", '<reasoning effort="low">hm</reasoning>Ok', "Ok"],
    ["an unclosed block at the start", "<think>I would say SHIP IT!", ""],
    ["an unclosed block later on", "Make it shorter.\n<think>or SHIP IT!", "Make it shorter."],
    ["a closing tag whose opening stood in the prompt", "SHIP IT? no.</think>Shorter.", "Shorter."],
    ["nested blocks", "<think>a<think>b</think>c</think>Shorter.", "Shorter."],
    ["two blocks", "<think>a</think>Good <think>b</think>rhythm.", "Good \nrhythm."],
    ["a scratch fence in front", "```scratch\nSHIP IT?\n```\nShorter.", "Shorter."],
    ["a thinking fence that never ends", "```thinking\nSHIP IT!", ""],
    ["two scratch fences", "~~~thoughts\na\n~~~\n```analysis\nb\n```\nShorter.", "Shorter."],
  ])("%s", (_title, reply, spoken) => {
    expect(stripReasoning(reply)).toBe(spoken);
  });

  it("leaves a fence that may hold the answer", () => {
    expect(stripReasoning('```json\n{"verdict":"ok"}\n```')).toBe('```json\n{"verdict":"ok"}\n```');
  });

  it("leaves words that only look like tags", () => {
    expect(stripReasoning("Think <thinker> and <rethink>.")).toBe("Think <thinker> and <rethink>.");
  });

  it("joins no two words across a removed block", () => {
    expect(stripReasoning("SHIP<think>x</think>IT")).toBe("SHIP\nIT");
  });

  it("reads a megabyte of opening tags", () => {
    expect(stripReasoning("<think>".repeat(150_000))).toBe("");
    expect(stripReasoning("<think ".repeat(150_000))).toHaveLength(1_050_000 - 1);
  });
});

describe("of a reply that may sign something", () => {
  it.each([
    ["only reasoning at its start is taken off", "<think>no?</think>\nSHIP IT!", "SHIP IT!", true],
    ["pairs may nest", "<think>a<think>b</think>c</think>Shorter.", "Shorter.", true],
    ["several may stand there", "<think>a</think> <reasoning>b</reasoning>Ok", "Ok", true],
    ["a tag further on stays", "Ok <think>no</think>", "Ok <think>no</think>", false],
    ["a tag without its beginning stays", "no.</think>Ok", "no.</think>Ok", false],
    ["reasoning without an end is no answer", "<think>SHIP IT!", "", false],
  ])("%s", (_title, reply, spoken, isWhole) => {
    expect(splitReasoning(reply)).toEqual({ spoken, isWhole });
  });

  it("reads a megabyte of tags", () => {
    expect(splitReasoning("<think>".repeat(150_000)).spoken).toBe("");
    expect(splitReasoning(`${"<think></think>".repeat(60_000)}Ok`).spoken).toBe("Ok");
  });
});
