import { Link, useParams } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { Iteration } from "../api/queries.ts";
import { count } from "../design/amounts.ts";
import { Figure } from "./figure.tsx";
import { type TurnFigures, turnFigures } from "./turn-figures.ts";

/** How a loop went, turn by turn: issues opened and closed, the length of the text, and its score. */
export function TurnCharts({ turns }: { readonly turns: readonly Iteration[] }) {
  const { run } = useParams({ from: "/drafts/$run" });
  const rows = useMemo(() => turnFigures(turns), [turns]);
  const hasScores = rows.some(({ score }) => score !== undefined);
  const table = (
    <table>
      <thead>
        <tr>
          <th scope="col">Turn</th>
          <th scope="col">Issues opened</th>
          <th scope="col">Issues closed</th>
          <th scope="col">Characters</th>
          {hasScores && <th scope="col">Score</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ turn, opened, closed, length, score }) => (
          <tr key={turn}>
            <th scope="row">
              <Link to="/drafts/$run" params={{ run }} search={{ turn }}>
                Turn {turn}
              </Link>
            </th>
            <td>{opened}</td>
            <td>{closed}</td>
            <td>{count(length)}</td>
            {hasScores && <td>{score ?? "–"}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
  const issues = useIssueChart(rows, run);
  const lengths = useLineChart(rows, run, "length", "Characters");
  const scores = useLineChart(rows, run, "score", "Score");
  return (
    <section className="card" aria-label="Turn by turn">
      <header>
        <h2>Turn by turn</h2>
      </header>
      <div className="inside two">
        <Figure caption="Issues opened and closed" draw={issues} table={table} />
        <Figure caption="Length of the text" draw={lengths} table={table} />
        {hasScores && <Figure caption="Score" draw={scores} table={table} />}
      </div>
    </section>
  );
}

type Draw = React.ComponentProps<typeof Figure>["draw"];

function useIssueChart(rows: readonly TurnFigures[], run: string): Draw {
  return useCallback<Draw>(
    (plot) => {
      const bars = rows.flatMap(({ turn, opened, closed }) => [
        { turn, issues: opened, what: "opened", to: placeOf(run, turn) },
        { turn, issues: -closed, what: "closed", to: placeOf(run, turn) },
      ]);
      return {
        height: 180,
        x: { label: "Turn", type: "band" },
        y: {
          ...{ label: "Issues", grid: true, interval: 1 },
          tickFormat: (value: number) => String(Math.abs(value)),
        },
        color: {
          ...{ domain: ["opened", "closed"], range: ["var(--wait)", "var(--good)"] },
          legend: false,
        },
        marks: [
          plot.barY(bars, { x: "turn", y: "issues", fill: "what", rx: 3 }),
          plot.ruleY([0]),
          plot.tip(
            bars.filter(({ issues }) => issues !== 0),
            plot.pointerX({
              ...{ x: "turn", y: "issues" },
              title: ({ turn, issues, what }) => `Turn ${turn}: ${Math.abs(issues)} ${what}`,
            }),
          ),
        ],
      };
    },
    [rows, run],
  );
}

function useLineChart(
  rows: readonly TurnFigures[],
  run: string,
  what: "length" | "score",
  label: string,
): Draw {
  return useCallback<Draw>(
    (plot) => {
      const points = rows
        .filter((row) => row[what] !== undefined)
        .map((row) => ({ turn: row.turn, value: row[what] ?? 0, to: placeOf(run, row.turn) }));
      const at = { x: "turn", y: "value" } as const;
      return {
        height: 180,
        x: { label: "Turn", type: "point" },
        y: { label, grid: true, zero: true },
        marks: [
          plot.line(points, { ...at, stroke: "var(--accent)", strokeWidth: 2 }),
          plot.dot(points, { ...at, fill: "var(--accent)", r: 4 }),
          plot.tip(
            points,
            plot.pointerX({ ...at, title: ({ turn, value }) => `Turn ${turn}: ${count(value)}` }),
          ),
        ],
      };
    },
    [rows, run, what, label],
  );
}

function placeOf(run: string, turn: number) {
  return { to: "/drafts/$run", params: { run }, search: { turn } } as const;
}
