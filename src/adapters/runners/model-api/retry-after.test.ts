import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-11-15T12:00:00Z");

describe("retryAfterMs", () => {
  it.each([
    [{ "retry-after": "3" }, 3_000],
    [{ "retry-after": " 1.5 " }, 1_500],
    [{ "retry-after": "Sun, 15 Nov 2026 12:01:00 GMT" }, 60_000],
    [{ "retry-after": "Sun, 15 Nov 2026 11:59:00 GMT" }, 0],
    [{ "retry-after": "9", "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("reads %j as %s ms", (headers: Record<string, string>, millis) => {
    expect(retryAfterMs(headers, now)).toBe(millis);
  });
});
