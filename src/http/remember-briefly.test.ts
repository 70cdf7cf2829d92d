import { expect, it } from "vitest";
import { instant } from "../domain/values/instant.ts";
import { rememberBriefly } from "./remember-briefly.ts";

it("adds up again only after twenty times as long as it took", async () => {
  let millis = 0;
  let added = 0;
  const clock = {
    now: () => instant("2026-03-02T08:00:00.000Z"),
    monotonic: () => millis,
    sleep: () => Promise.resolve(),
  };
  const costs = rememberBriefly(clock, async (days: number) => {
    millis += 10;
    added += 1;
    return `${days} days, sum ${added}`;
  });
  expect(await costs(7)).toBe("7 days, sum 1");
  millis += 199;
  expect(await costs(7)).toBe("7 days, sum 1");
  expect(await costs(14)).toBe("14 days, sum 2");
  millis += 1;
  expect(await costs(7)).toBe("7 days, sum 3");
});
