import { expect, it } from "vitest";
import { unusedJobs } from "./unused-jobs.ts";

it("offers all four jobs in a new project", () => {
  expect(unusedJobs([])).toHaveLength(4);
});

it("drops a job once a run of it has finished", () => {
  const titles = unusedJobs([
    { kind: "draft", runs: 3 },
    { kind: "scenario", runs: 1 },
  ]).map(({ title }) => title);
  expect(titles).toEqual(["Publish an episode", "Keep notes in order"]);
});
