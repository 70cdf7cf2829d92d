import type { LiveText } from "../../api/live.ts";
import type { Turns } from "../../api/queries.ts";
import styles from "./draft.module.css";
import { turnInProgress } from "./turn-in-progress.ts";

const phases = [
  ["generating", "writing"],
  ["reviewing", "reviewing"],
  ["deciding", "deciding"],
] as const;

const phaseLabels: { readonly [phase in Turns["phase"]]: string } = {
  initialized: "Starting",
  generating: "The writer is writing",
  reviewing: "The reviewer is reading",
  deciding: "The rule is being applied",
  completed: "Done",
};

/** The turn that is being taken: the text as it is written, and its review as it arrives beside it. */
export function LivePhase(props: {
  readonly turns: Turns;
  readonly maxTurns: number;
  readonly said: readonly LiveText[];
}) {
  const { turns, maxTurns } = props;
  const { texts, reviews } = turnInProgress(turns, props.said);
  return (
    <section className="card" aria-label="Live">
      <header>
        <div className="row" role="status">
          <span className="badge busy">
            Turn {Math.max(1, turns.turn)} of {maxTurns}
          </span>
          <span>{phaseLabels[turns.phase]}</span>
        </div>
        <ol className={styles.phases} aria-hidden="true">
          {phases.map(([phase, words]) => (
            <li key={phase} className={phase === turns.phase ? styles.now : ""}>
              {words}
            </li>
          ))}
        </ol>
      </header>
      {texts.length + reviews.length > 0 && (
        <div className={`inside ${styles.sides}`}>
          <div className="stack">
            {texts.map(({ index, text }) => (
              <div key={index} className="stack tight">
                <h3 className="soft">{texts.length > 1 ? `Draft ${index}` : "The text"}</h3>
                <p className="text small" data-testid="live-text">
                  {text}
                </p>
              </div>
            ))}
          </div>
          <div className="stack">
            {reviews.map(({ key, role, text }) => (
              <div key={key} className="stack tight">
                <h3 className="soft">{role}</h3>
                <p className="quote" data-testid="live-review">
                  {text === "" ? "Reading…" : text}
                </p>
              </div>
            ))}
          </div>
        </div>
      )}
    </section>
  );
}
