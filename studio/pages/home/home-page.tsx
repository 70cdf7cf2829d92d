import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { atLeast } from "../../../src/domain/models/known-amounts.ts";
import { type Home, home, type Run } from "../../api/queries.ts";
import { cost, count, plural, tokens } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { RunLine } from "../../design/run-line.tsx";
import { placeOfItem } from "../../design/run-place.ts";
import { Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { kindOfItem } from "../inbox/item-words.ts";
import { CostChart } from "./cost-chart.tsx";
import styles from "./home.module.css";
import { unusedJobs } from "./unused-jobs.ts";

export function HomePage() {
  const { data, error, refetch } = useQuery(home);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Home</PageTitle>
          <p className="soft">
            Signoff runs AI writing and AI review until both sides sign, and keeps the proof.
          </p>
        </div>
        <Link to="/drafts/new" className="button primary">
          New draft <kbd>n</kbd>
        </Link>
      </div>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading lines={5} />}
      {data !== undefined && (
        <>
          <Jobs finished={data.finished} />
          <div className="two">
            <div className="stack">
              <Waiting waiting={data.waiting} />
              <Runs title="Running now" list={data.running} empty="Nothing is running." />
              <Runs
                title="Recent approvals"
                note="How these runs ended. A text may have changed since; its page shows its present state."
                list={{ runs: data.approved, count: data.approved.length }}
                empty="Nothing has been approved yet."
              />
              {data.resumable.count > 0 && (
                <Runs title="Resumable" list={data.resumable} empty="" />
              )}
            </div>
            <Week days={data.days} />
          </div>
        </>
      )}
    </div>
  );
}

/** What this project has not been used for yet. */
function Jobs({ finished }: Pick<Home, "finished">) {
  const jobs = unusedJobs(finished);
  if (jobs.length === 0) return null;
  return (
    <ul className={styles.jobs} aria-label="What you can do here">
      {jobs.map(({ title, words, action, to }) => (
        <li key={title} className={`card ${styles.job}`}>
          <h2>{title}</h2>
          <p className="soft">{words}</p>
          <Link to={to} className="button">
            {action}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Waiting({ waiting: { count: all, items } }: Pick<Home, "waiting">) {
  return (
    <section className="card" aria-label="Needs you">
      <header>
        <h2>Needs you</h2>
        {all > 0 && <Link to="/inbox">{plural(all, "item")}</Link>}
      </header>
      {all === 0 && <p className="inside soft">Nothing needs you right now.</p>}
      <ul className="list">
        {items.map((item) => (
          <li key={item.id}>
            <Link {...placeOfItem(item)} className="list-line">
              <span className={styles.item}>{item.text}</span>
              <Time at={item.since} />
              <span className="soft">{kindOfItem(item)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Runs(props: {
  readonly title: string;
  readonly note?: string;
  readonly list: { readonly count: number; readonly runs: readonly Run[] };
  readonly empty: string;
}) {
  const { title, note, list, empty } = props;
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {list.count > list.runs.length && <Link to="/runs">{count(list.count)} in all</Link>}
      </header>
      {list.runs.length === 0 && <p className="inside soft">{empty}</p>}
      {list.runs.length > 0 && note !== undefined && <p className="inside soft">{note}</p>}
      <ul className="list">
        {list.runs.map((run) => (
          <li key={run.run_id}>
            <RunLine run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Week({ days }: Pick<Home, "days">) {
  const sum = (of: (day: Home["days"][number]) => number): number =>
    days.reduce((all, day) => all + of(day), 0);
  const unpriced = sum((day) => day.unpriced);
  const uncounted = sum((day) => day.uncounted);
  const known = sum((day) => day.micro_usd ?? 0);
  const counted = sum((day) => day.tokens ?? 0);
  const week = {
    ...{ unpriced, uncounted },
    micro_usd: atLeast(known, unpriced) ?? null,
    tokens: atLeast(counted, uncounted) ?? null,
  };
  const runs = sum((day) => day.runs);
  const calls = sum((day) => day.calls);
  return (
    <section className="card" aria-label="This week">
      <header>
        <h2>This week</h2>
        <Link to="/runs">Runs and cost</Link>
      </header>
      <div className="inside stack">
        <p className={styles.figure}>{cost(week)}</p>
        <p className="soft">
          {plural(runs, "run")}, {plural(calls, "call")}, {tokens(week)}
          {unpriced > 0 && `; the price of ${plural(unpriced, "call")} is unknown`}
        </p>
        <CostChart days={days} />
      </div>
    </section>
  );
}
