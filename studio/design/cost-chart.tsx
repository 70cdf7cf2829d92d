import type { Costs } from "../api/queries.ts";
import { count, money, plural } from "./amounts.ts";

const height = 120;
const barWidth = 36;
const gap = 14;

/** Money per day; tokens where everything was free. The table says the same to those who do not see it. */
export function CostChart({ days }: { readonly days: Costs["days"] }) {
  const isFree = days.every(({ micro_usd }) => micro_usd === 0);
  const amountOf = (day: Costs["days"][number]): number =>
    isFree ? day.input_tokens + day.output_tokens : day.micro_usd;
  const told = (day: Costs["days"][number]): string =>
    isFree ? `${count(amountOf(day))} tokens` : money(day.micro_usd);
  const most = Math.max(1, ...days.map(amountOf));
  const width = days.length * (barWidth + gap);
  return (
    <figure className="chart">
      <figcaption className="soft">{isFree ? "Tokens per day" : "Cost per day"}</figcaption>
      <svg viewBox={`0 0 ${width} ${height + 24}`} role="img" aria-label="Spent per day">
        {days.map((day, at) => {
          const size = amountOf(day) === 0 ? 2 : Math.max(4, (amountOf(day) / most) * height);
          const x = at * (barWidth + gap) + gap / 2;
          return (
            <g key={day.day}>
              <title>{`${day.day}: ${told(day)}, ${plural(day.runs, "run")}`}</title>
              <rect x={x} y={height - size} width={barWidth} height={size} rx="4" />
              <text x={x + barWidth / 2} y={height + 18} textAnchor="middle">
                {weekday(day.day)}
              </text>
            </g>
          );
        })}
      </svg>
      <table className="visually-hidden">
        <caption>Spent per day</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              <td>{told(day)}</td>
              <td>{plural(day.runs, "run")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function weekday(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { weekday: "short" });
}
