import type { ReactNode } from "react";
import styles from "./part-button.module.css";

/** One of the parts beside a page, such as a turn or a scenario; its edge says how the part went. */
export function PartButton(props: {
  readonly tone: "good" | "wait" | "bad";
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={`${styles.part} ${styles[props.tone]}`}
      aria-current={props.isCurrent ? "step" : undefined}
      onClick={props.onChoose}
    >
      {props.children}
    </button>
  );
}
