import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { Facts } from "../../design/facts.tsx";
import { More } from "../../design/more.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import { Term } from "../../design/term.tsx";
import { payloadOf, type Step } from "./pack-queries.ts";
import styles from "./packs.module.css";
import { Question } from "./question.tsx";
import { Severity, StatusBadge } from "./status-badge.tsx";

export interface StepPlace {
  readonly run: string;
  readonly scenario: string;
}

/** A question, its answer, and the checks beside it. */
export function StepCard(props: {
  readonly step: Step;
  readonly at: StepPlace;
  readonly isChosen: boolean;
}) {
  const { step, at, isChosen } = props;
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <section
      ref={ref}
      className={`card ${styles.step} ${isChosen ? styles.chosen : ""}`}
      aria-label={step.title}
      aria-current={isChosen ? "step" : undefined}
    >
      <header>
        <div className="row">
          <h3>{step.title}</h3>
          {step.criticality !== "critical" && <span className="badge">{step.criticality}</span>}
          {step.flaky === true && (
            <span className="badge wait">
              <Term of="flaky" />
            </span>
          )}
        </div>
        <StatusBadge status={step.status} />
      </header>
      <div className={styles.exchange}>
        <div className="stack">
          <Question step={step} />
          <Answer step={step} />
        </div>
        <Checks step={step} />
      </div>
      {step.execution !== "skipped" && step.execution !== "unresolved" && (
        <Payload at={at} step={step.step_id} />
      )}
    </section>
  );
}

const silences = {
  answered: "",
  failed: "No answer.",
  unresolved: "Not asked: a placeholder has no value.",
  skipped: "Not asked: a step it depends on has no answer.",
} as const;

function Answer({ step }: { readonly step: Step }) {
  if (step.execution !== "answered") return <p className="soft">{silences[step.execution]}</p>;
  const [first = "", ...rest] = step.answer_text.split("\n");
  return (
    <div className={styles.answer} data-testid="answer">
      <strong>{first}</strong>
      {rest.length > 0 && `\n${rest.join("\n")}`}
    </div>
  );
}

function Checks({ step }: { readonly step: Step }) {
  return (
    <div className={styles.checks}>
      {step.reply_type !== null && (
        <p className="soft">
          Reply type <span className="mono">{step.reply_type}</span>
        </p>
      )}
      {step.findings.length === 0 ? (
        <p className={styles.passed}>Every check passed</p>
      ) : (
        <ul className="stack tight">
          {step.findings.map((finding) => (
            <li key={`${finding.invariant} ${finding.expectation} ${finding.evidence}`}>
              <p className="row">
                <Severity severity={finding.severity} />
                <strong>{finding.invariant.replaceAll("_", " ")}</strong>
              </p>
              <Facts
                of={[
                  ["expected", finding.expectation],
                  ["seen", finding.evidence],
                ]}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const mostCharacters = 100_000;

/** Technical details are only loaded when they are opened. */
function Payload({ at, step }: { readonly at: StepPlace; readonly step: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <More summary="Debug payload" onToggle={setOpen}>
      {isOpen && <PayloadText at={at} step={step} />}
    </More>
  );
}

function PayloadText({ at, step }: { readonly at: StepPlace; readonly step: string }) {
  const { data, error, isPending } = useQuery(payloadOf(at.run, at.scenario, step));
  if (isPending) return <Loading lines={2} />;
  if (error !== null) return <Failure error={error} />;
  const text = JSON.stringify(
    data.failure === null ? { debug: data.debug, entries: data.entries } : data.failure,
    undefined,
    2,
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="raw" tabIndex={0} aria-label="Debug payload">
        <pre>{text.slice(0, mostCharacters)}</pre>
      </section>
      {text.length > mostCharacters && (
        <p className="soft">Cut off here; the whole payload is in the run's folder.</p>
      )}
    </>
  );
}
