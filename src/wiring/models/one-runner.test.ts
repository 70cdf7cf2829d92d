import { expect, it } from "vitest";
import { fixedClock } from "../project/system-clock.ts";
import { createRunnerFor } from "./runners.ts";

const settings = { root: ".", clock: fixedClock("2026-11-15T12:00:00.000Z") };

it("makes one runner per model and invocation, and shares none between invocations", async () => {
  const runnerFor = createRunnerFor(settings);
  const first = await runnerFor("offline/rules");
  expect(await runnerFor("offline/rules")).toBe(first);
  const another = await createRunnerFor(settings)("offline/rules");
  expect(another.runner).not.toBe(first.runner);
});
