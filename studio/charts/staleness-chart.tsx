import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { count } from "../design/amounts.ts";
import { Failure, Loading } from "../design/states.tsx";
import { stalenessOf } from "../pages/notes/note-queries.ts";
import { Figure } from "./figure.tsx";

type Draw = React.ComponentProps<typeof Figure>["draw"];

const kinds = [
  ["fresh", "fresh", "var(--good)"],
  ["changed", "changed since the review", "var(--wait)"],
  ["never_reviewed", "never reviewed", "var(--line-strong)"],
] as const;

/** Fresh and stale pairs at the end of each day; a day opens its reviews. Counted when it is opened. */
export function StalenessChart({ model }: { readonly model: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inside">Staleness over the last 30 days</summary>
      {isOpen && <Days model={model} />}
    </details>
  );
}

function Days({ model }: { readonly model: string | undefined }) {
  const { data, error } = useQuery(stalenessOf(model));
  const draw = useCallback<Draw>(
    (plot) => {
      const bars = (data?.days ?? []).flatMap((day) =>
        kinds.map(([kind, words]) => ({
          ...{ day: new Date(`${day.day}T12:00:00Z`), pairs: day[kind], words },
          to: placeOf(day.day),
        })),
      );
      return {
        height: 220,
        x: { label: null, type: "band", tickFormat: (day: Date, at: number) => tick(day, at) },
        y: { label: "Pairs", grid: true, tickFormat: "~s" },
        color: {
          domain: kinds.map(([, words]) => words),
          range: kinds.map(([, , colour]) => colour),
        },
        marks: [
          plot.barY(bars, { x: "day", y: "pairs", fill: "words" }),
          plot.ruleY([0]),
          plot.tip(
            bars.filter(({ pairs }) => pairs > 0),
            plot.pointer(
              plot.stackY({
                ...{ x: "day", y: "pairs" },
                title: ({ day, pairs, words }) => `${dayWords(day)}: ${count(pairs)} ${words}`,
              }),
            ),
          ),
        ],
      };
    },
    [data],
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="inside stack">
      <p className="row">
        <span className="badge good">fresh</span>
        <span className="badge wait">changed since the review</span>
        <span className="badge">never reviewed</span>
      </p>
      <Figure
        caption="The present notes and gates at the end of each day"
        draw={draw}
        table={<DayTable days={data.days} />}
      />
    </div>
  );
}

type Day = { readonly day: string } & Readonly<Record<(typeof kinds)[number][0], number>>;

function DayTable({ days }: { readonly days: readonly Day[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {kinds.map(([kind, words]) => (
            <th key={kind} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">
              <Link {...placeOf(day.day)}>{day.day}</Link>
            </th>
            {kinds.map(([kind]) => (
              <td key={kind}>{count(day[kind])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The runs of a day. */
function placeOf(day: string) {
  return { to: "/runs", search: { since: day, until: day } } as const;
}

function dayWords(day: Date): string {
  return day.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

function tick(day: Date, at: number): string {
  return at % 7 === 0 ? dayWords(day) : "";
}
