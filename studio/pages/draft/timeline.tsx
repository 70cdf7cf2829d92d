import { useEffect, useRef } from "react";
import type { Iteration, Session } from "../../api/queries.ts";
import { PartButton } from "../../design/part-button.tsx";
import styles from "./draft.module.css";

const verdicts = {
  ok: ["good", "approved"],
  changes_requested: ["wait", "changes requested"],
  needs_human: ["bad", "needs a person"],
} as const;

export function Timeline(props: {
  readonly turns: readonly Iteration[];
  readonly chosen: number | undefined;
  readonly session: Session;
  readonly onChoose: (turn: number) => void;
}) {
  const { turns, chosen, session, onChoose } = props;
  const signed =
    session.decision?.outcome === "converged" ? session.decision.final_iteration : undefined;
  const approved = session.ruling?.act === "approve" ? session.ruling.text : undefined;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (list.current !== null && current != null) {
      list.current.scrollLeft =
        chosen === undefined ? 0 : current.offsetLeft - list.current.offsetLeft;
    }
  }, [chosen]);
  return (
    <nav className={styles.timeline} aria-label="Turns">
      <ol ref={list}>
        {turns.map(({ iteration, review, candidate }) => {
          const [tone, text] = verdicts[review.verdict];
          const errors = review.issues.filter(({ severity }) => severity === "error").length;
          return (
            <li key={iteration}>
              <PartButton
                tone={tone}
                isCurrent={iteration === chosen}
                onChoose={() => onChoose(iteration)}
              >
                <span>
                  Turn {iteration}
                  {iteration === signed && <span className={styles.mark}> signed</span>}
                  {candidate.content === approved && <span className={styles.mark}> approved</span>}
                </span>
                <span className="soft">
                  {text}
                  {errors > 0 && `, ${errors} ${errors === 1 ? "error" : "errors"}`}
                </span>
              </PartButton>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

export function Verdict({ verdict }: { readonly verdict: Iteration["review"]["verdict"] }) {
  const [tone, text] = verdicts[verdict];
  return <span className={`badge ${tone}`}>{text}</span>;
}
