import type { Costs } from "../api/queries.ts";
import { count, money, plural } from "./amounts.ts";

type Day = Costs["days"][number];

/** Money per day; tokens where everything was free. The table says the same to those who do not see the bars. */
export function CostChart({ days }: { readonly days: readonly Day[] }) {
  const isFree = days.every(({ micro_usd }) => micro_usd === 0);
  const amountOf = (day: Day): number =>
    isFree ? day.input_tokens + day.output_tokens : day.micro_usd;
  const spent = (day: Day): string =>
    isFree ? `${count(amountOf(day))} tokens` : money(day.micro_usd);
  const most = Math.max(1, ...days.map(amountOf));
  return (
    <figure className="chart">
      <figcaption className="soft">{isFree ? "Tokens per day" : "Cost per day"}</figcaption>
      <div className="bars" aria-hidden="true">
        {days.map((day) => (
          <div key={day.day} title={`${day.day}: ${spent(day)}, ${plural(day.runs, "run")}`}>
            <span style={{ height: `${(amountOf(day) / most) * 100}%` }} />
            <small>{weekday(day.day, days.length > 7)}</small>
          </div>
        ))}
      </div>
      <table className="visually-hidden">
        <caption>Spent per day</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              <td>{spent(day)}</td>
              <td>{plural(day.runs, "run")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function weekday(day: string, isShort: boolean): string {
  const noon = new Date(`${day}T12:00:00Z`);
  return noon.toLocaleDateString("en-GB", { weekday: isShort ? "narrow" : "short" });
}
