import { expect, it } from "vitest";
import { boundBroken } from "./amounts.ts";

it("a time limit that would be exceeded is named in seconds", () => {
  const none = { budget_micro_usd: null, spent_micro_usd: 0, reserved_micro_usd: 0 };
  const tokens = { budget_tokens: 100, spent_tokens: 60, reserved_tokens: 30 };
  const time = { budget_millis: 60_000, spent_millis: 20_000, reserved_millis: 30_000 };
  const account = { ...none, ...tokens, ...time };
  const asking = (millis: number) => boundBroken(account, { microUsd: 9, tokens: 10, millis });
  expect(asking(10_000)).toBeUndefined();
  expect(asking(10_500)).toEqual({
    ...{ bound: "seconds", limit: 60, spent: 20, reserved: 30, asked: 10.5 },
  });
});
