import { useQuery } from "@tanstack/react-query";
import { describeVote } from "../../../src/domain/drafting/panel.ts";
import { describeSignature } from "../../../src/domain/drafting/signature.ts";
import { plural } from "../../design/amounts.ts";
import { Facts } from "../../design/facts.tsx";
import { GateSection } from "../../design/gate-section.tsx";
import { More } from "../../design/more.tsx";
import { StandIn } from "../../design/state-badge.tsx";
import { Failure } from "../../design/states.tsx";
import { type Report, type Verdict, verdictOf } from "./pack-queries.ts";
import styles from "./packs.module.css";
import { Severity } from "./status-badge.tsx";

/** Whether the run is accepted, everything that blocks it, and what the analyst said. */
export function GateCard({ report }: { readonly report: Report }) {
  const verdict = useQuery(verdictOf(report.run_id));
  return (
    <GateSection
      label="Gate"
      isPassed={report.accepted}
      title={report.accepted ? "Gate passed" : "Gate not passed"}
      reasons={report.reasons}
      aside={
        <>
          {report.analyst?.stand_in === true && <StandIn />}
          {report.analyst?.scripted === true && <span className="badge">script</span>}
        </>
      }
      foot={<Backlog report={report} />}
    >
      {report.accepted && <p>Every check and both reviews passed.</p>}
      {report.analyst !== null && <Signed analyst={report.analyst} />}
      {verdict.error !== null && <Failure error={verdict.error} />}
      {verdict.data !== undefined && <AnalystVerdict verdict={verdict.data} />}
    </GateSection>
  );
}

/** How the analyst signed, or who of several said what. */
function Signed({ analyst }: { readonly analyst: NonNullable<Report["analyst"]> }) {
  const { signature, vote } = analyst;
  if (vote !== null) {
    return <p className="soft">{describeVote({ ...vote, calledPerson: vote.called_person })}</p>;
  }
  if (signature === null) return null;
  return <p className="soft">The analyst {describeSignature({ how: signature.how })}.</p>;
}

function AnalystVerdict({ verdict: { loop, verdict, problems } }: { readonly verdict: Verdict }) {
  if (verdict === null && problems.length === 0) {
    return <p className="soft">Judged by the checks alone; no analyst was asked.</p>;
  }
  return (
    <div className="stack">
      <h3>The analyst's verdict</h3>
      {loop !== null && (
        <p className="soft">
          {loop.analyst_model}, iteration {loop.iteration} of at most {loop.max_iterations}
        </p>
      )}
      {problems.length > 0 && (
        <div className="notice bad">
          <strong>The verdict is not valid.</strong>
          {problems.map((problem) => (
            <span key={problem}>{problem}</span>
          ))}
        </div>
      )}
      {verdict !== null && (
        <>
          <div className="row">
            <span className={`number ${styles.score}`}>{verdict.quality_score}</span>
            <span className="soft">
              {loop === null ? "of 100" : `of 100; the gate requires ${loop.target_score}`}
            </span>
          </div>
          {verdict.summary !== null && verdict.summary !== "" && (
            <p className="quote">{verdict.summary}</p>
          )}
          <ul className={styles.flags}>
            {verdict.flags.map(({ name, ok }) => (
              <li key={name} className={ok ? styles.yes : styles.no}>
                {wordsOf(name)}
                <span className="visually-hidden">{ok ? ": yes" : ": no"}</span>
              </li>
            ))}
          </ul>
          {verdict.user_decision_prompt !== null && (
            <p className="notice wait">{verdict.user_decision_prompt}</p>
          )}
        </>
      )}
    </div>
  );
}

/** `temporalHonestyOk` → `temporal honesty` */
function wordsOf(flag: string): string {
  return flag.replace(/Ok$/u, "").replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

function Backlog({ report: { repair_targets: targets } }: { readonly report: Report }) {
  if (targets.length === 0) return null;
  return (
    <More summary={`${plural(targets.length, "repair target")}, worst first`}>
      <ul className="list">
        {targets.map((target) => (
          <li key={target.target_id} className="inside stack tight">
            <p className="row">
              <Severity severity={target.severity} />
              <strong>{target.problem_type.replaceAll("_", " ")}</strong>
              <span className="soft">{plural(target.occurrences.length, "step")}</span>
            </p>
            <Facts
              of={[
                ["asked", target.question],
                ["expected", target.expectation],
                ["seen", target.evidence],
                ["goal", target.fix_goal],
              ]}
            />
          </li>
        ))}
      </ul>
    </More>
  );
}
