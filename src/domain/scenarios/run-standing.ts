import type { Standing } from "../evidence/standing.ts";
import { defined } from "../values/defined.ts";
import type { DerivedRun } from "./derive-run.ts";
import { countedSteps } from "./run-record.ts";

/** What is known about the pack run in a folder, and the command that plays it again. */
export interface KnownRun {
  readonly folder: string;
  /** Absent where the project has no record of the run. */
  readonly run?: DerivedRun;
  /** What the files say of a run without a record. */
  readonly claimsAccepted: boolean;
  readonly command?: string;
}

/** Whether the pack run in a folder is accepted. Without a record, its files are believed no further than `attested`. */
export function runStanding({ folder, run, claimsAccepted, command }: KnownRun): Standing {
  const named = { kind: "pack-run", name: folder } as const;
  const again = defined({ command });
  if (run?.accepted === true) {
    const { deciders } = run;
    return { ...named, accepted: true, support: "proven", deciders, why: whyAccepted(run) };
  }
  if (run !== undefined) {
    const [why = "the run was not accepted", ...more] = run.reasons;
    const last = { text: "What would supply it:", ...again };
    const missing = [...more.map((text) => ({ text })), ...(command === undefined ? [] : [last])];
    return { ...named, accepted: false, why, missing };
  }
  const why = "this project has no record of the run";
  return claimsAccepted
    ? {
        ...named,
        accepted: true,
        support: "attested",
        deciders: [],
        why: `${why}; its files say so`,
      }
    : { ...named, accepted: false, why, missing: [{ text: "Play its pack here." }] };
}

function whyAccepted({ record, score, deciders }: DerivedRun): string {
  const steps = countedSteps(record).length;
  const checked =
    steps === 1
      ? "the one step that counts passes its checks"
      : `all ${steps} steps that count pass their checks`;
  return deciders.length === 0 ? checked : `${checked}, and the analyst gives ${score} of 100`;
}
