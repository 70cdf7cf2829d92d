import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import styles from "./term.module.css";

/** What the words of this program mean, said where they are used. */
const terms = {
  "stand-in":
    "Built-in rules that write and review in place of a model. They work offline and cost nothing, and what they decide never counts where a model has to decide.",
  script:
    "Recorded replies, played back in place of a model. What they decide never counts where a model has to decide.",
  P0: "The most serious kind of finding: the answer is wrong or misleading. A pack with an open P0 is never accepted.",
  P1: "A serious finding. It blocks a stage until it is repaired and proven, or a person settles it.",
  stale:
    "It was reviewed, and something the review looked at has changed since. The verdict no longer counts until it is reviewed again or acknowledged.",
  attested:
    "A file or a record says so, but the evidence behind it is not in this project, so it could not be derived here.",
  proven: "Derived just now from the recorded replies: they were read and decided again.",
  gate: "A question that every note it applies to must answer well, such as “Is every figure sourced?”.",
  flaky: "One version of the assistant gave different results for this step.",
  locked: "Final. Only a person can open it again, with a reason.",
} as const;

export type TermName = keyof typeof terms;

/** A word that explains itself to the mouse, the keyboard and touch. */
export function Term(props: { readonly of: TermName; readonly children?: ReactNode }) {
  const { of, children = of } = props;
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.term} openOnHover delay={200}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} className={styles.place}>
          <Popover.Popup className={styles.popup} initialFocus={false}>
            <Popover.Title className={styles.title} render={<strong />}>
              {of}
            </Popover.Title>
            <Popover.Description className={styles.words}>{terms[of]}</Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
