import type { ReactNode } from "react";
import styles from "./more.module.css";

/** What most people do not need, behind a line that opens it. */
export function More(props: {
  readonly summary: string;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}) {
  const { summary, onToggle, children } = props;
  return (
    <details className={styles.more} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
