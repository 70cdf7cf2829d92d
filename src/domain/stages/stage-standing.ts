import type { Standing } from "../evidence/standing.ts";
import type { ClosingGate } from "./closing-gate.ts";
import { type CommandPaths, stageCommand } from "./step-guidance.ts";

/** Whether a stage is accepted, as `signoff verify` prints it. A damaged closing lacks what its evidence lacks. */
export function stageStanding(stageId: string, gate: ClosingGate, paths: CommandPaths): Standing {
  const named = { kind: "stage", name: stageId } as const;
  const by = gate.closedBy?.confirmedBy;
  if (gate.acceptedGate) {
    const why = by === undefined ? "ready for a person's confirmation" : `closed by ${by}`;
    const person = by === undefined ? [] : (["person"] as const);
    const deciders = [...gate.deciders, ...person];
    return { ...named, why, accepted: true, support: "proven", deciders };
  }
  return {
    ...named,
    why: by === undefined ? "not accepted" : `closed by ${by}, but the evidence is lost`,
    accepted: false,
    missing: gate.missing.map(({ text, command, more }) => ({
      text,
      command: stageCommand(command, paths, more),
    })),
  };
}
