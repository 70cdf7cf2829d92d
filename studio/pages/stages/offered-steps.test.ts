import { expect, it } from "vitest";
import { offeredSteps } from "./offered-steps.ts";
import type { StageDetail } from "./stage-queries.ts";

function detail(
  next_action: StageDetail["stage"]["next_action"],
  more: { last?: string; problem?: string; loop?: boolean; coding?: boolean } = {},
): StageDetail {
  const history = more.last === undefined ? [] : [{ event: { kind: more.last } }];
  return {
    stage: { next_action, history, is_at_work: more.coding ?? false },
    coder: { command: ["node"], problem: more.problem ?? null, hint: null },
    loop: more.loop === undefined ? null : { run_id: "r", is_playing: more.loop },
  } as unknown as StageDetail;
}
const labels = (...about: Parameters<typeof detail>) =>
  offeredSteps(detail(...about)).map(({ label }) => label);

it("offers the dry run before the coder, and the coder with what keeps it from starting", () => {
  expect(labels("execute_prepared_repair", { last: "repair-prepared" })).toEqual([
    "Make the dry run",
  ]);
  const [coder] = offeredSteps(detail("execute_prepared_repair", { problem: "not trusted" }));
  expect(coder).toMatchObject({ step: "execute-repair", problem: "not trusted" });
});

it("offers nothing while a loop plays or a coder works, and resumes a loop that stopped", () => {
  expect(labels("continue_autonomous_or_fix_blocker", { loop: true })).toEqual([]);
  expect(labels("continue_autonomous_or_fix_blocker", { coding: true })).toEqual([]);
  expect(labels("continue_autonomous_or_fix_blocker", { loop: false })).toEqual([
    "Resume the loop",
  ]);
});
