import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contextFor,
  isRoomy,
  judgeTruncation,
  largerContext,
  needsMarkers,
} from "./truncation-guard.ts";

const long = { bytes: 30_000, contextTokens: 16_384, echoed: false };

describe("judgeTruncation", () => {
  it("lets an approval stand when the server read at least 0.8 of the low estimate", () => {
    expect(judgeTruncation({ ...long, countedTokens: 4_800 })).toEqual({
      counts: true,
      because: "counted",
    });
    expect(judgeTruncation({ ...long, countedTokens: 4_799 })).toEqual({
      counts: false,
      estimate: 6_000,
      counted: 4_799,
    });
  });

  it("lets it stand when the prompt fills less than half of the room", () => {
    expect(judgeTruncation({ ...long, contextTokens: 20_001 })).toEqual({
      counts: true,
      because: "roomy",
    });
    expect(judgeTruncation({ ...long, contextTokens: 20_000 })).toEqual({
      counts: false,
      estimate: 6_000,
    });
  });

  it("lets it stand when the reply echoes both ends of the prompt", () => {
    expect(judgeTruncation({ ...long, countedTokens: 2_048, echoed: true })).toEqual({
      counts: true,
      because: "echoed",
    });
  });

  it("voids an approval of a prompt of which the server read the tail", () => {
    expect(judgeTruncation({ ...long, countedTokens: 2_048 }).counts).toBe(false);
  });
});

describe("contextFor and largerContext", () => {
  const need = fc.record({
    bytes: fc.nat({ max: 1_000_000 }),
    replyTokens: fc.nat({ max: 32_000 }),
  });

  it("give room for the whole prompt and the reply, in doublings", () => {
    fc.assert(
      fc.property(need, (each) => {
        const context = contextFor(each);
        expect(context).toBeGreaterThanOrEqual(Math.ceil(each.bytes / 3) + each.replyTokens);
        expect(Number.isInteger(Math.log2(context))).toBe(true);
      }),
    );
  });

  it("make the second try larger and roomy, where the model has the room", () => {
    fc.assert(
      fc.property(need, (each) => {
        const first = contextFor(each);
        const second = largerContext(first, each);
        expect(second).toBeGreaterThan(first);
        expect(isRoomy(each.bytes, second ?? 0)).toBe(true);
      }),
    );
  });

  it("make the second try as large as twice the prompt needs, however small the first was", () => {
    const each = { bytes: 30_000, replyTokens: 100 };
    expect(largerContext(2_048, each)).toBe(largerContext(contextFor(each), each));
  });

  it("never go beyond what the model was trained for, and then there is no second try", () => {
    const small = { bytes: 30_000, replyTokens: 100, mostTokens: 2_048 };
    expect(contextFor(small)).toBe(2_048);
    expect(largerContext(2_048, small)).toBeUndefined();
    expect(largerContext(16_384, { ...small, mostTokens: 20_480 })).toBe(20_480);
  });
});

describe("needsMarkers", () => {
  const page = { system: "Judge the page.", user: "Bottles that last. ".repeat(400) };

  it("applies only to long prompts for servers that may cut them", () => {
    for (const model of ["ollama/mistral:latest", "compatible/lab/bottle-7b"]) {
      expect(needsMarkers({ ...page, model })).toBe(true);
      expect(needsMarkers({ ...page, user: "Hydrate Green", model })).toBe(false);
    }
    for (const model of ["openai/gpt-4o", "command/claude", "offline/rules", "script:a.json"]) {
      expect(needsMarkers({ ...page, model })).toBe(false);
    }
  });
});
