import type { Costs } from "../api/queries.ts";
import { cost, plural, tokens } from "./amounts.ts";

type Day = Costs["days"][number];

/** Money per day; tokens where no price is known or everything was free. The table says the same to those who do not see the bars. */
export function CostChart({ days }: { readonly days: readonly Day[] }) {
  const isInTokens = days.every(({ micro_usd }) => micro_usd === null || micro_usd === 0);
  const amountOf = (day: Day): number => (isInTokens ? day.tokens : day.micro_usd) ?? 0;
  const spent = (day: Day): string =>
    isInTokens && (day.tokens ?? 0) > 0 ? tokens(day) : cost(day);
  const most = Math.max(1, ...days.map(amountOf));
  return (
    <figure className="chart">
      <figcaption className="soft">{isInTokens ? "Tokens per day" : "Cost per day"}</figcaption>
      <div className="bars" aria-hidden="true">
        {days.map((day) => (
          <div key={day.day} title={`${day.day}: ${spent(day)}, ${plural(day.runs, "run")}`}>
            <span style={{ height: `${(amountOf(day) / most) * 100}%` }} />
            <small>{weekday(day.day, days.length > 7)}</small>
          </div>
        ))}
      </div>
      <div className="visually-hidden">
        <table>
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
      </div>
    </figure>
  );
}

function weekday(day: string, isShort: boolean): string {
  const noon = new Date(`${day}T12:00:00Z`);
  return noon.toLocaleDateString("en-GB", { weekday: isShort ? "narrow" : "short" });
}
