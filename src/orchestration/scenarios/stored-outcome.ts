import type { RunResult } from "../../domain/runs/run-words.ts";
import { runOutcome } from "../../domain/scenarios/run-outcome.ts";
import { rollUp, type Status } from "../../domain/scenarios/step-status.ts";
import type { RunRecord } from "../../ports/run-store.ts";

/** What a stored result says of its run, without reading the whole of it: a list shows many. */
interface StoredResult {
  readonly state?: { readonly final_status: Status; readonly acceptance_gate_passed: boolean };
  readonly accepted?: boolean;
  readonly final_status?: Status;
  readonly steps?: Parameters<typeof rollUp>[0];
}

/** How a finished run of questions ended; undefined for other runs and before the end. */
export function storedOutcome({
  job,
  ending,
}: Pick<RunRecord, "job" | "ending">): RunResult | undefined {
  if (ending?.kind !== "finished") return undefined;
  const result = ending.result as StoredResult | null;
  switch (job.kind) {
    case "pack": {
      const { final_status: finalStatus, acceptance_gate_passed: accepted } = result?.state ?? {};
      return finalStatus && runOutcome({ finalStatus, accepted: accepted === true });
    }
    case "pack-loop": {
      const { final_status: finalStatus, accepted } = result ?? {};
      return finalStatus && runOutcome({ finalStatus, accepted: accepted === true });
    }
    case "gate-review":
      return (result as { readonly outcome?: string } | null)?.outcome === "unreadable"
        ? "unreadable"
        : undefined;
    case "scenario": {
      const finalStatus = rollUp(result?.steps ?? []);
      return runOutcome({ finalStatus, accepted: finalStatus === "accepted" });
    }
    default:
      return undefined;
  }
}
