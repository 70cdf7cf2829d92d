import { expect, it } from "vitest";
import { groupByCause } from "./repair-causes.ts";
import type { RepairTarget } from "./repair-targets.ts";

const target = (targetId: string, more: Partial<RepairTarget>): RepairTarget => ({
  ...{ targetId, severity: "P1", problemType: "content", question: "", visibleAnswer: "" },
  ...{ expectation: "", evidence: "", fixGoal: "", candidateFiles: [] },
  occurrences: [{ scenarioId: "stock", stepId: targetId }],
  ...more,
});
const shape = (targets: readonly RepairTarget[]) =>
  groupByCause(targets).map(({ problemType, severity, first, consequences }) => [
    ...[problemType, severity],
    ...[first, consequences].map((some) => some.map(({ targetId }) => targetId).join(" ")),
  ]);

it("targets of one kind have one cause, the worst first, in the order of the conversations", () => {
  const targets = [
    target("third", { position: 3 }),
    target("named", {}),
    target("first", { position: 1, severity: "P2" }),
    target("memory", { position: 2, problemType: "memory", severity: "P0" }),
  ];
  expect(shape(targets)).toEqual([
    ["memory", "P0", "memory", ""],
    ["content", "P1", "first third named", ""],
  ]);
});

it("what follows from an earlier step belongs to the worst cause that shows there", () => {
  const at = { scenarioId: "stock", stepId: "first" };
  const targets = [
    target("first", { position: 1 }),
    target("worse", { position: 1, problemType: "memory", severity: "P0", occurrences: [at] }),
    target("second", { position: 2, problemType: "dependency", follows: at }),
    target("elsewhere", { position: 3, follows: { scenarioId: "talk", stepId: "first" } }),
    target("later", { position: 4, follows: { scenarioId: "stock", stepId: "none" } }),
  ];
  expect(shape(targets)).toEqual([
    ["memory", "P0", "worse", "second"],
    ["content", "P1", "first elsewhere later", ""],
  ]);
});
