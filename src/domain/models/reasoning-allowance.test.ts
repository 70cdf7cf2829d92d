import { describe, expect, it } from "vitest";
import { replyTokens } from "./reasoning-allowance.ts";

describe("replyTokens", () => {
  it("leaves the visible text its limit and adds room to think", () => {
    expect(replyTokens(100, false)).toBe(100);
    expect(replyTokens(100, true)).toBeGreaterThan(4_000);
  });
});
