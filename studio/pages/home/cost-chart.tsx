import { Link } from "@tanstack/react-router";
import type { Costs } from "../../api/queries.ts";
import { cost, money, plural, tokens } from "../../design/amounts.ts";
import { axisTop } from "./axis-top.ts";
import styles from "./cost-chart.module.css";

type Day = Costs["days"][number];

const compact = new Intl.NumberFormat("en-US", { notation: "compact" });
/** An axis is never shorter than this: a cent, or ten tokens. */
const least = { microUsd: 10_000, tokens: 10 };

/** Money per day; tokens where no price is known or everything was free. A bar opens the runs of its day. */
export function CostChart({ days }: { readonly days: readonly Day[] }) {
  const isInTokens = days.every(({ micro_usd }) => micro_usd === null || micro_usd === 0);
  const amountOf = (day: Day): number => (isInTokens ? day.tokens : day.micro_usd) ?? 0;
  const most = Math.max(0, ...days.map(amountOf));
  const top = axisTop(most, isInTokens ? least.tokens : least.microUsd);
  const label = (amount: number): string => (isInTokens ? compact.format(amount) : money(amount));
  const spent = (day: Day): string =>
    isInTokens && (day.tokens ?? 0) > 0 ? tokens(day) : cost(day);
  return (
    <figure>
      <figcaption className="soft">{isInTokens ? "Tokens per day" : "Cost per day"}</figcaption>
      <div className={styles.chart}>
        <div className={styles.axis} aria-hidden="true">
          {[top, top / 2, 0].map((amount) => (
            <small key={amount}>{label(amount)}</small>
          ))}
        </div>
        <ul className={styles.days}>
          {days.map((day) => {
            const words = `${day.day}: ${spent(day)}, ${plural(day.runs, "run")}`;
            return (
              <li key={day.day}>
                <Link
                  to="/runs"
                  search={{ since: day.day, until: day.day }}
                  title={words}
                  aria-label={words}
                >
                  {amountOf(day) > 0 && (
                    <span style={{ height: `${(amountOf(day) / top) * 100}%` }} />
                  )}
                </Link>
                <small aria-hidden="true">{weekday(day.day)}</small>
              </li>
            );
          })}
        </ul>
      </div>
    </figure>
  );
}

function weekday(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  return noon.toLocaleDateString("en-GB", { weekday: "short", timeZone: "UTC" });
}
