import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Costs } from "../api/queries.ts";
import { count, money } from "../design/amounts.ts";
import { kindWords } from "../design/run-place.ts";
import { Figure } from "./figure.tsx";

type Draw = React.ComponentProps<typeof Figure>["draw"];

function drawDays(...[plot, width, costs]: [...Parameters<Draw>, Costs]): ReturnType<Draw> {
  const { unit, words, amountOf } = unitOf(costs);
  const bars = costs.cells.map((cell) => ({
    ...{ day: new Date(`${cell.day}T12:00:00Z`), model: cell.model, amount: amountOf(cell) },
    to: { to: "/runs", search: { since: cell.day, until: cell.day } } as const,
  }));
  const all = costs.days.map(({ day }) => new Date(`${day}T12:00:00Z`));
  return {
    ...{ height: 220, marginBottom: 40 },
    x: { label: null, type: "band", domain: all, tickFormat: ticksFor(width) },
    y: { label: unit, grid: true, tickFormat: "~s" },
    color: { legend: false, scheme: "tableau10" },
    marks: [
      plot.barY(bars, { x: "day", y: "amount", fill: "model", rx: 2 }),
      plot.ruleY([0]),
      plot.tip(
        bars,
        plot.pointerX(
          plot.stackY({
            ...{ x: "day", y: "amount" },
            title: ({ day, model, amount }) => `${dayWords(day)}\n${model}: ${words(amount)}`,
          }),
        ),
      ),
    ],
  };
}

/** Money by day, model and job; tokens where no price is known or everything was free. */
export function CostCharts({ costs }: { readonly costs: Costs }) {
  const { isInTokens, words, amountOf } = unitOf(costs);
  const days = useCallback<Draw>((plot, width) => drawDays(plot, width, costs), [costs]);
  const kinds = useCallback<Draw>(
    (plot) => {
      const { unit, words, amountOf } = unitOf(costs);
      const bars = costs.kinds.map((one) => ({
        ...{ kind: kindWords(one.kind), amount: amountOf(one) },
        to: { to: "/runs", search: { kind: one.kind } } as const,
      }));
      return {
        ...{ height: 60 + bars.length * 26, marginLeft: 130, marginBottom: 44 },
        x: { label: unit, grid: true, tickFormat: "~s" },
        y: { label: null },
        marks: [
          plot.barX(bars, {
            ...{ x: "amount", y: "kind", fill: "var(--accent)", rx: 3 },
            sort: { y: "-x" },
          }),
          plot.tip(
            bars,
            plot.pointerY({
              ...{ x: "amount", y: "kind" },
              title: ({ kind, amount }) => `${kind}: ${words(amount)}`,
            }),
          ),
        ],
      };
    },
    [costs],
  );
  return (
    <div className="inside two">
      <Figure
        caption={`${isInTokens ? "Tokens" : "Cost"} by day and model`}
        draw={days}
        table={<DayTable costs={costs} words={(cell) => words(amountOf(cell))} />}
      />
      <Figure
        caption={`${isInTokens ? "Tokens" : "Cost"} by job`}
        draw={kinds}
        table={<KindTable costs={costs} words={(one) => words(amountOf(one))} />}
      />
    </div>
  );
}

type Amount = { readonly micro_usd: number | null; readonly tokens: number | null };

function unitOf({ cells }: Costs) {
  const isInTokens = cells.every(({ micro_usd }) => (micro_usd ?? 0) === 0);
  return {
    isInTokens,
    unit: isInTokens ? "tokens" : "US dollars",
    words: (value: number): string =>
      isInTokens ? `${count(value)} tokens` : money(value * 1_000_000),
    amountOf: ({ micro_usd, tokens }: Amount): number =>
      isInTokens ? (tokens ?? 0) : (micro_usd ?? 0) / 1_000_000,
  };
}

function dayWords(day: Date): string {
  return day.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

/** Two weeks of dates do not fit beside each other. */
function ticksFor(width: number) {
  const every = width < 480 ? 4 : 2;
  return (day: Date, at: number): string => (at % every === 1 ? dayWords(day) : "");
}

type Cell = Costs["cells"][number];

function DayTable(props: { readonly costs: Costs; readonly words: (cell: Cell) => string }) {
  return (
    <table>
      <tbody>
        {props.costs.cells.map((cell) => (
          <tr key={`${cell.day} ${cell.model}`}>
            <th scope="row">
              <Link to="/runs" search={{ since: cell.day, until: cell.day }}>
                {cell.day}
              </Link>
            </th>
            <td>{cell.model}</td>
            <td>{props.words(cell)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Kind = Costs["kinds"][number];

function KindTable(props: { readonly costs: Costs; readonly words: (kind: Kind) => string }) {
  return (
    <table>
      <tbody>
        {props.costs.kinds.map((one) => (
          <tr key={one.kind}>
            <th scope="row">
              <Link to="/runs" search={{ kind: one.kind }}>
                {kindWords(one.kind)}
              </Link>
            </th>
            <td>{props.words(one)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
