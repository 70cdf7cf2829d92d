import type { RunDetail, Session } from "../../api/queries.ts";
import { StandIn } from "../../design/state-badge.tsx";

/** Why a loop ended, in words. */
export const reasons: { readonly [reason: string]: string } = {
  reviewer_ok_and_creator_done: "the reviewer said ok and the writer was done",
  iteration_limit: "the limit of turns was reached without approval",
  stalled: "the last texts hardly differ any more",
  oscillating: "the loop came back to a text it had before",
  late_issues: "the reviewer kept finding new faults in old text",
};

/** How the loop ended and that this is final, or why it came to no decision. */
export function DecisionCard({
  session,
  detail,
}: {
  readonly session: Session;
  readonly detail: RunDetail;
}) {
  const { decision, stand_in } = session;
  if (decision === null) return <Undecided detail={detail} />;
  const isSigned = decision.outcome === "converged";
  return (
    <section className={`notice ${isSigned ? "good" : "wait"}`} aria-label="Decision">
      <div className="row">
        <strong>{isSigned ? "Both sides signed" : unsignedTitle(detail.version)}</strong>
        <span className="badge" title={`Locked: ${decision.locked_fields.join(", ")}`}>
          <svg className="lock" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M3 5V3.5a3 3 0 0 1 6 0V5h.5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm1.5 0h3V3.5a1.5 1.5 0 0 0-3 0z" />
          </svg>
          locked
        </span>
        {stand_in && <StandIn />}
      </div>
      <span>
        Turn {decision.final_iteration ?? "?"}: {reasons[decision.reason ?? ""] ?? decision.reason}.
      </span>
      <span className="soft">The record is in {detail.record}</span>
    </section>
  );
}

/** People's rulings never change the loop's own decision, so it is shown unchanged. */
function unsignedTitle(rulings: number): string {
  return rulings === 0 ? "A person is needed" : "Ended without approval; a person has decided";
}

function Undecided({ detail }: { readonly detail: RunDetail }) {
  const { ending, state } = detail;
  if (state === "interrupted") {
    return (
      <section className="notice wait" aria-label="Decision">
        <strong>Interrupted: the process that wrote it is gone</strong>
        <span>Nothing that was paid for is lost. Resume goes on where it was.</span>
      </section>
    );
  }
  if (ending === null || ending.kind === "waiting") return null;
  return (
    <section
      className={`notice ${ending.kind === "failed" ? "bad" : "wait"}`}
      aria-label="Decision"
    >
      <strong>No decision: {ending.code ?? ending.kind}</strong>
      {ending.message !== null && <span>{ending.message}</span>}
      {detail.resumable && <span className="soft">It can be resumed; nothing is asked twice.</span>}
    </section>
  );
}
