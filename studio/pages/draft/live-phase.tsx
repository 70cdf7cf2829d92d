import type { LiveText } from "../../api/live.ts";
import type { Turns } from "../../api/queries.ts";

const phases = ["generating", "reviewing", "deciding"] as const;

const phaseLabels: { readonly [phase in Turns["phase"]]: string } = {
  initialized: "getting ready",
  generating: "the writer writes",
  reviewing: "the reviewer reads",
  deciding: "the rule decides",
  completed: "done",
};

/** The current phase of the loop, with the words as they arrive. */
export function LivePhase(props: {
  readonly turns: Turns;
  readonly maxTurns: number;
  readonly said: LiveText | undefined;
}) {
  const { turns, maxTurns, said } = props;
  return (
    <section className="card live" aria-label="Live">
      <header>
        <div className="row" role="status">
          <span className="badge busy">
            Turn {Math.max(1, turns.turn)} of {maxTurns}
          </span>
          <span>{phaseLabels[turns.phase]}</span>
        </div>
        <ol className="phases" aria-hidden="true">
          {phases.map((phase) => (
            <li key={phase} className={phase === turns.phase ? "now" : ""}>
              {phase}
            </li>
          ))}
        </ol>
      </header>
      {said !== undefined && (
        <div className="inside">
          <p className="soft">{said.role}</p>
          <p className="text small">{said.text}</p>
        </div>
      )}
    </section>
  );
}
