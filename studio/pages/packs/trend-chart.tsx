import { plural } from "../../design/amounts.ts";
import type { PackRun } from "./pack-queries.ts";

/**
 * Steps that passed, run by run, oldest first. The table says the same to those who do not see the bars; a small
 * one only adds to what is next to it.
 */
export function TrendChart({ runs, size }: TrendProps) {
  const finished = runs.filter(({ state }) => state === "finished");
  if (finished.length === 0) return null;
  const hasScores = finished.some(({ loop }) => loop?.score != null);
  return (
    <figure className={`chart trend ${size}`}>
      {size === "large" && (
        <figcaption className="soft">
          Steps that passed, run by run{hasScores && "; the number is the analyst's score"}
        </figcaption>
      )}
      <div className="bars" aria-hidden="true">
        {finished.map((run) => (
          <div key={run.run_id} title={labelOf(run)}>
            <span
              className={run.accepted ? "good" : "wait"}
              style={{ height: `${shareOf(run) * 100}%` }}
            />
            {size === "large" && hasScores && <small>{run.loop?.score ?? "–"}</small>}
          </div>
        ))}
      </div>
      {size === "large" && (
        <div className="visually-hidden">
          <table>
            <caption>Steps that passed</caption>
            <tbody>
              {finished.map((run) => (
                <tr key={run.run_id}>
                  <th scope="row">{run.started_at ?? run.run_id}</th>
                  <td>{labelOf(run)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </figure>
  );
}

interface TrendProps {
  readonly runs: readonly PackRun[];
  readonly size: "small" | "large";
}

function shareOf({ steps, steps_passed }: PackRun): number {
  return steps === 0 ? 0 : steps_passed / steps;
}

function labelOf(run: PackRun): string {
  const score = run.loop?.score == null ? "" : `, score ${run.loop.score}`;
  const gate = run.accepted ? "accepted" : "not accepted";
  return `${run.steps_passed} of ${plural(run.steps, "step")}${score}, ${gate}`;
}
