import { useId } from "react";
import type { Step } from "./pack-queries.ts";
import styles from "./packs.module.css";
import { placeholderValues } from "./placeholder-values.ts";

/** The question as it was written; a placeholder tells its value to the mouse and to the keyboard. */
export function Question({ step }: { readonly step: Step }) {
  const parts = placeholderValues(step.question_template, step.question_resolved ?? undefined);
  return (
    <p className={styles.question}>
      {parts.map((part) =>
        part.kind === "text" ? (
          <span key={part.at}>{part.text}</span>
        ) : (
          <Placeholder
            key={part.at}
            expression={part.expression}
            value={part.value ?? step.question_resolved ?? undefined}
            isWhole={part.value === undefined}
          />
        ),
      )}
    </p>
  );
}

function Placeholder(props: {
  readonly expression: string;
  readonly value: string | undefined;
  /** The whole question is shown: its words do not say where the value ends. */
  readonly isWhole: boolean;
}) {
  const { expression, value, isWhole } = props;
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={`${styles.placeholder} ${value === undefined ? styles.missing : ""}`}
        aria-describedby={id}
      >{`{{${expression}}}`}</button>
      <span role="tooltip" id={id} className={styles.resolved}>
        {value === undefined && "It had no value, so the question was not asked."}
        {value !== undefined && isWhole && `Asked as: ${value}`}
        {value !== undefined && !isWhole && (value === "" ? "An empty text" : value)}
      </span>
    </>
  );
}
