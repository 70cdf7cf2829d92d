import { plural } from "../../design/amounts.ts";
import type { PackRun } from "./pack-queries.ts";
import styles from "./packs.module.css";

/** Steps that passed, run by run, oldest first: a small picture beside words that say the same. */
export function TrendChart({ runs }: { readonly runs: readonly PackRun[] }) {
  const finished = runs.filter(({ state }) => state === "finished");
  if (finished.length === 0) return null;
  return (
    <span className={styles.trend} aria-hidden="true">
      {finished.map((run) => (
        <span
          key={run.run_id}
          title={trendWords(run)}
          className={run.accepted ? styles.good : styles.wait}
          style={{ height: `${shareOf(run) * 100}%` }}
        />
      ))}
    </span>
  );
}

export function shareOf({ steps, steps_passed }: PackRun): number {
  return steps === 0 ? 0 : steps_passed / steps;
}

export function trendWords(run: PackRun): string {
  const score = run.loop?.score == null ? "" : `, score ${run.loop.score}`;
  const gate = run.accepted ? "accepted" : "not accepted";
  return `${run.steps_passed} of ${plural(run.steps, "step")}${score}, ${gate}`;
}
