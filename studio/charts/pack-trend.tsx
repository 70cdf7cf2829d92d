import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import type { PackRun } from "../pages/packs/pack-queries.ts";
import { shareOf, trendWords } from "../pages/packs/trend-chart.tsx";
import { Figure } from "./figure.tsx";

type Draw = React.ComponentProps<typeof Figure>["draw"];

/** Steps that passed, run by run, oldest first, with the analyst's score where there is one; a point opens its run. */
export function PackTrend({ runs }: { readonly runs: readonly PackRun[] }) {
  const hasScores = runs.some(({ loop }) => loop?.score != null);
  const draw = useCallback<Draw>(
    (plot) => {
      const points = runs.map((run, at) => ({
        ...{ at: at + 1, share: shareOf(run) * 100, score: run.loop?.score ?? undefined },
        ...{ accepted: run.accepted, words: `Run ${at + 1}: ${trendWords(run)}`, to: placeOf(run) },
      }));
      const scored = points.filter(({ score }) => score !== undefined);
      return {
        height: 180,
        x: { label: "Run, oldest first", type: "band" },
        y: { label: hasScores ? "% passed, score" : "% passed", grid: true, domain: [0, 100] },
        color: { domain: [true, false], range: ["var(--good)", "var(--wait)"] },
        marks: [
          plot.barY(points, { x: "at", y: "share", fill: "accepted", rx: 2 }),
          plot.dot(scored, { x: "at", y: "score", fill: "var(--ink)", r: 4 }),
          plot.ruleY([0]),
          plot.tip(points, plot.pointerX({ x: "at", y: "share", title: "words" })),
        ],
      };
    },
    [runs, hasScores],
  );
  const table = (
    <table>
      <tbody>
        {runs.map((run, at) => (
          <tr key={run.run_id}>
            <th scope="row">
              <Link {...placeOf(run)}>Run {at + 1}</Link>
            </th>
            <td>{trendWords(run)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  const score = hasScores ? "; the dot is the analyst's score" : "";
  return <Figure caption={`Steps that passed, run by run${score}`} draw={draw} table={table} />;
}

function placeOf({ pack_id, run_id }: PackRun) {
  return { to: "/packs/$pack/runs/$run", params: { pack: pack_id, run: run_id } } as const;
}
