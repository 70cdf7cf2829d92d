import { expect, it } from "vitest";
import type { Run } from "./queries.ts";
import { withFirstPage } from "./refresh-runs.ts";

const run = (at: number, state = "finished") =>
  ({ run_id: `run-${at}`, created_at: `2026-03-02T08:0${at}:00.000Z`, state }) as unknown as Run;

const pages = [
  { runs: [run(6), run(5), run(4)], next_cursor: "after-4" },
  { runs: [run(3), run(2)], next_cursor: "after-2" },
];

it("puts a new run above those that were read before, and keeps its place in the list", () => {
  const first = { runs: [run(7), run(6), run(5)], next_cursor: "after-5" };
  const merged = withFirstPage(pages, first, new Set(["run-7"]));
  expect(merged).toEqual([
    { runs: [7, 6, 5, 4, 3, 2].map((at) => run(at)), next_cursor: "after-2" },
  ]);
});

it("takes the new state of a run on the first page, and drops one that no longer fits", () => {
  const first = { runs: [run(6, "failed"), run(4)], next_cursor: "after-4" };
  const merged = withFirstPage(pages, first, new Set(["run-6", "run-5"]));
  expect(merged?.[0]?.runs.map(({ run_id, state }) => `${run_id} ${state}`)).toEqual([
    ...["run-6 failed", "run-4 finished", "run-3 finished", "run-2 finished"],
  ]);
});

it("gives up if a run further down changed", () => {
  const first = { runs: [run(6), run(5), run(4)], next_cursor: "after-4" };
  expect(withFirstPage(pages, first, new Set(["run-2"]))).toBeUndefined();
});
