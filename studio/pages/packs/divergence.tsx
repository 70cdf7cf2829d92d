import { useMemo } from "react";
import { diffTexts } from "../../design/diff-texts.ts";
import { LongText } from "../../design/long-text.tsx";
import { blocksOf } from "../../design/text-blocks.ts";
import type { Comparison, Report, Step } from "./pack-queries.ts";
import styles from "./packs.module.css";
import { Question } from "./question.tsx";
import { Severity, StatusBadge } from "./status-badge.tsx";

/** Where one scenario parts for the first time, both answers side by side, and what follows from it. */
export function Divergence(props: {
  readonly divergence: Comparison["divergences"][number];
  readonly before: Report;
  readonly after: Report;
}) {
  const { divergence, before, after } = props;
  const { scenario_id, first_step, differs, consequences, independent } = divergence;
  const left = stepOf(before, scenario_id, first_step);
  const right = stepOf(after, scenario_id, first_step);
  const changes = useMemo(
    () => diffTexts(left?.answer_text ?? "", right?.answer_text ?? ""),
    [left, right],
  );
  const title = before.scenarios.find((one) => one.scenario_id === scenario_id)?.title;
  if (left === undefined || right === undefined) return null;
  return (
    <section className="card" aria-label={`Scenario ${title ?? scenario_id}`}>
      <header>
        <h2>{title ?? scenario_id}</h2>
        <div className="row">
          <span className="badge wait">First divergence</span>
          <span className="mono soft">{first_step}</span>
          <span className="soft">differs in {differs.join(", ").replaceAll("_", " ")}</span>
        </div>
      </header>
      <div className={styles.sides}>
        <Side name="Before" step={left} changes={changes} without="added" />
        <Side name="After" step={right} changes={changes} without="removed" />
      </div>
      <Later title="Follows from it" steps={consequences} />
      <Later title="Differs on its own" steps={independent} />
    </section>
  );
}

function Side(props: {
  readonly name: string;
  readonly step: Step;
  readonly changes: ReturnType<typeof diffTexts>;
  readonly without: "added" | "removed";
}) {
  const { name, step, changes, without } = props;
  const blocks = useMemo(() => {
    const own = changes.filter(({ kind }) => kind !== without);
    return blocksOf(own.length === 0 ? [{ kind: "same", text: step.answer_text }] : own);
  }, [changes, without, step]);
  return (
    <div className={`stack ${styles.sideAnswer}`}>
      <div className="row">
        <h3>{name}</h3>
        <StatusBadge status={step.status} />
        {step.reply_type !== null && <span className="soft mono">{step.reply_type}</span>}
      </div>
      <Question step={step} />
      <div className={styles.answer}>
        {step.execution === "answered" ? (
          <LongText blocks={blocks} testId="side" className="" />
        ) : (
          "There is no answer."
        )}
      </div>
      {step.findings.length > 0 && (
        <ul className="stack tight">
          {step.findings.map((finding) => (
            <li key={`${finding.invariant} ${finding.evidence}`} className={styles.findingLine}>
              <Severity severity={finding.severity} />
              <span>
                {finding.invariant.replaceAll("_", " ")}: {finding.evidence}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Later({ title, steps }: { readonly title: string; readonly steps: readonly string[] }) {
  return steps.length === 0 ? null : (
    <p className={styles.later}>
      <strong>{title}:</strong>{" "}
      {steps.map((step) => (
        <span key={step} className="badge">
          {step}
        </span>
      ))}
    </p>
  );
}

function stepOf(report: Report, scenario: string, step: string): Step | undefined {
  return report.scenarios
    .find(({ scenario_id }) => scenario_id === scenario)
    ?.steps.find(({ step_id }) => step_id === step);
}
