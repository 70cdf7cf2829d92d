import { type ReactNode, useState } from "react";
import { useMay } from "../../api/role.ts";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { May } from "../../design/may.tsx";
import { Severity } from "../packs/status-badge.tsx";
import type { StageDetail } from "./stage-queries.ts";
import { useStageSteps } from "./use-stage-steps.ts";

interface Subject {
  readonly about: "finding" | "repair";
  readonly id: string;
}

/** What is open, and a person's word on it where no run can settle it. */
export function OpenFindings({ detail }: { readonly detail: StageDetail }) {
  const [chosen, setChosen] = useState<Subject>();
  const { act } = useStageSteps(detail);
  const findings = detail.stage.open_findings;
  const repairs = detail.repairs.filter(({ needs_ruling }) => needs_ruling);
  if (findings.length + repairs.length === 0) return null;
  return (
    <section aria-label="Open findings">
      <details className="card" open={findings.length <= fewFindings}>
        <summary className="inside">
          <strong>Open findings</strong> <span className="soft">{totals(findings)}</span>
        </summary>
        <WhoCould />
        <ul className="list">
          {repairs.map(({ iteration_id: id }) => (
            <Line key={id} subject={{ about: "repair", id }} onChoose={setChosen}>
              What the coder of {id} left behind counts only if a person vouches for it.
            </Line>
          ))}
          {findings.map(({ finding_id: id, severity, problem_type, question }) => (
            <Line key={id} subject={{ about: "finding", id }} onChoose={setChosen}>
              <Severity severity={severity} /> <strong>{problem_type.replaceAll("_", " ")}</strong>{" "}
              <span className="soft">{question}</span>
            </Line>
          ))}
        </ul>
      </details>
      {chosen !== undefined && (
        <DecisionDialog
          title={chosen.about === "finding" ? "Settle this finding" : "Vouch for this repair"}
          label="Why?"
          action={chosen.about === "finding" ? "Settle it" : "Vouch for it"}
          decide={(reason) => act.mutateAsync({ step: "rule", ...chosen, reason })}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}

/** More than these are read when someone wants to. */
const fewFindings = 5;

function totals(findings: StageDetail["stage"]["open_findings"]): string {
  return ["P0", "P1", "P2"]
    .map((level) => [findings.filter(({ severity }) => severity === level).length, level] as const)
    .filter(([number]) => number > 0)
    .map(([number, level]) => `${number} ${level}`)
    .join(", ");
}

/** Said once, not beside each line. */
function WhoCould() {
  if (useMay("decide")) return null;
  return (
    <div className="inside">
      <May do="decide">{null}</May>
    </div>
  );
}

function Line(props: {
  readonly subject: Subject;
  readonly onChoose: (subject: Subject) => void;
  readonly children: ReactNode;
}) {
  const { subject, onChoose, children } = props;
  const mayDecide = useMay("decide");
  return (
    <li className="list-line">
      <span>{children}</span>
      {mayDecide && (
        <button type="button" className="button" onClick={() => onChoose(subject)}>
          {subject.about === "finding" ? "Settle" : "Vouch for it"}
          <span className="visually-hidden"> {subject.id}</span>
        </button>
      )}
    </li>
  );
}
