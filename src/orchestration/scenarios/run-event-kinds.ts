/** Events that become files. Kept apart from their shapes, which only a run needs to load. */
export const projectedRunEvents = [
  "scenario-began",
  "scenario-restarted",
  "step-judged",
  "scenario-judged",
  "case-judged",
  "pack-began",
  "pack-judged",
  "loop-began",
  "iteration-judged",
  "coder-began",
  "coder-ended",
  "loop-stopped",
] as const;
