import type { ReactNode } from "react";
import styles from "./gate-section.module.css";

/** A gate: whether it is passed, everything that blocks it, and what there is to say about it. */
export function GateSection(props: {
  readonly label: string;
  readonly isPassed: boolean;
  readonly title: string;
  readonly reasons: readonly string[];
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** Below everything, from edge to edge. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}) {
  const { label, isPassed, title, reasons, aside, foot, children } = props;
  return (
    <section className={`card ${isPassed ? styles.passed : styles.blocked}`} aria-label={label}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      <div className="inside stack">
        {reasons.length > 0 && (
          <ul className={styles.reasons} aria-label="What blocks it">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {children}
      </div>
      {foot}
    </section>
  );
}
