import { expect, it } from "vitest";
import { instant } from "../../domain/values/instant.ts";
import type { Reply } from "../../ports/runner.ts";
import { usageOf } from "./usage-totals.ts";

const at = instant("2026-11-18T12:00:00.000Z");
const reply: Reply = {
  ...{ text: "Sleep to Lisbon", model: "command/poet", finish: "complete", replayed: false },
  ...{ startedAt: at, finishedAt: at },
};

it("the cost of a program that counts no tokens is known where it is nothing", () => {
  expect(
    usageOf([
      { ...reply, microUsd: 0 },
      { ...reply, microUsd: 0 },
    ]),
  ).toEqual({
    ...{ calls: 2, replayed: 0, cachedInputTokens: 0, microUsd: 0 },
  });
  expect(usageOf([{ ...reply, microUsd: 0 }, reply])).not.toHaveProperty("microUsd");
});
