import type { PackRun, Step } from "./pack-queries.ts";

const statuses = {
  accepted: ["good", "Accepted"],
  partial: ["wait", "Partial"],
  needs_exact_capability: ["wait", "Needs a capability"],
  blocked: ["bad", "Blocked"],
} as const;

export function StatusBadge({ status }: { readonly status: Step["status"] }) {
  const [tone, text] = statuses[status];
  return <span className={`badge ${tone}`}>{text}</span>;
}

/** How a run ended: the gate's word where it has spoken. */
export function RunBadge({ run }: { readonly run: PackRun }) {
  if (run.state === "unfinished") return <span className="badge busy">Not finished</span>;
  if (run.state === "damaged" || run.final_status === null) {
    return <span className="badge bad">Files damaged</span>;
  }
  return run.accepted || run.final_status !== "accepted" ? (
    <StatusBadge status={run.final_status} />
  ) : (
    <span className="badge wait">Gate not passed</span>
  );
}

const severities = { P0: "bad", P1: "wait", P2: "plain" } as const;

export function Severity({ severity }: { readonly severity: "P0" | "P1" | "P2" }) {
  return <span className={`badge ${severities[severity]}`}>{severity}</span>;
}
