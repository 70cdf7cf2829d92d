import { decisionRule } from "../../../src/domain/drafting/decision.ts";
import { notByModel } from "../../../src/domain/evidence/standing.ts";
import type { RunDetail, Session } from "../../api/queries.ts";
import { Lock } from "../../design/lock.tsx";
import { NotByModel, stateTitle } from "../../design/state-badge.tsx";
import { Term } from "../../design/term.tsx";

/** Why a loop ended, in words. */
export const reasons: { readonly [reason: string]: string } = {
  reviewer_ok_and_creator_done: "the reviewer approved and the writer was done",
  iteration_limit: "the turn limit was reached without approval",
  stalled: "the last texts barely differ",
  oscillating: "the loop returned to an earlier text",
  late_issues: "the reviewer kept raising new issues about unchanged text",
};

/** How the loop ended and that this is final, or why it came to no decision. */
export function DecisionCard({
  session,
  detail,
}: {
  readonly session: Session;
  readonly detail: RunDetail;
}) {
  const { decision, deciders, outcome, rule } = session;
  if (decision === null) return <Undecided detail={detail} />;
  const isOld = (rule ?? 1) < decisionRule && session.ruling === null;
  const isGood = outcome === "approved" && !isOld && session.standing?.accepted !== false;
  return (
    <section className={`notice ${isGood ? "good" : "wait"}`} aria-label="Decision">
      <div className="row">
        <strong>{titleOf(session, detail)}</strong>
        <span className="badge" title={`Locked: ${decision.locked_fields.join(", ")}`}>
          <Lock />
          <Term of="locked" />
        </span>
        <NotByModel deciders={deciders} />
      </div>
      <span>
        {session.ruling === null ? "Ended with turn" : "Before that, the loop ended with turn"}{" "}
        {decision.final_iteration ?? "?"}: {reasons[decision.reason ?? ""] ?? decision.reason}.
        {notByModel(deciders) !== undefined && ` This was ${notByModel(deciders)}.`}
      </span>
      <Evidence session={session} />
      <span className="soft">The record is in {detail.record}</span>
    </section>
  );
}

/** What the recorded replies come to, read and decided again for this page. */
function Evidence({ session: { standing } }: { readonly session: Session }) {
  if (standing === null) return null;
  if (standing.accepted) {
    return (
      <span>
        <span className="badge good">
          <Term of={standing.support} />
        </span>{" "}
        The recorded replies were read and decided again just now.
      </span>
    );
  }
  return standing.missing.map(({ text, command }) => (
    <span key={text}>
      <span className="badge bad">not accepted</span> {text}{" "}
      {command && (
        <>
          In a terminal: <code>{command}</code>
        </>
      )}
    </span>
  ));
}

/** The words of every list, and what they ask for. */
function titleOf({ ruling, outcome }: Session, detail: RunDetail): string {
  const words = stateTitle(detail);
  if (ruling !== null) return words;
  return outcome === "approved"
    ? `${words}: both sides signed`
    : `${words}: a person has to decide`;
}

function Undecided({ detail }: { readonly detail: RunDetail }) {
  const { ending, state } = detail;
  if (state === "interrupted") {
    return (
      <section className="notice wait" aria-label="Decision">
        <strong>Interrupted: the process running it has ended</strong>
        <span>Nothing already paid for is lost. Resume continues where it stopped.</span>
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
      {detail.resumable && (
        <span className="soft">It can be resumed without repeating a call.</span>
      )}
    </section>
  );
}
