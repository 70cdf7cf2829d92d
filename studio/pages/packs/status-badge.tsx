import type { RunOutcome } from "../../../src/domain/scenarios/run-outcome.ts";
import { outcomeBadge } from "../../design/state-badge.tsx";
import { Term } from "../../design/term.tsx";
import type { PackRun } from "./pack-queries.ts";

export function StatusBadge({ status }: { readonly status: RunOutcome }) {
  const [tone, text] = outcomeBadge(status);
  return <span className={`badge ${tone}`}>{text}</span>;
}

/** How a run ended: the gate's word where it has spoken. */
export function RunBadge({ run }: { readonly run: PackRun }) {
  if (run.state === "unfinished") return <span className="badge busy">Not finished</span>;
  if (run.state === "damaged" || run.outcome === null) {
    return <span className="badge bad">Files damaged</span>;
  }
  return (
    <>
      <StatusBadge status={run.outcome} />
      {!run.recorded && run.kind === "pack" && (
        <span className="badge plain" title="This project has no record of the run">
          attested
        </span>
      )}
    </>
  );
}

const severities = { P0: "bad", P1: "wait", P2: "plain" } as const;

export function Severity({ severity }: { readonly severity: "P0" | "P1" | "P2" }) {
  return (
    <span className={`badge ${severities[severity]}`}>
      {severity === "P2" ? severity : <Term of={severity} />}
    </span>
  );
}
