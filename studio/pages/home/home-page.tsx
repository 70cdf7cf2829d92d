import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { atLeast } from "../../../src/domain/models/known-amounts.ts";
import { type Costs, costsOf, inbox, latestRuns, type Run } from "../../api/queries.ts";
import { cost, plural, tokens } from "../../design/amounts.ts";
import { CostChart } from "../../design/cost-chart.tsx";
import { RunLine } from "../../design/run-line.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { titleOf } from "../inbox/title-of.ts";

const most = 6;

export function HomePage() {
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>What is going on</h1>
        </div>
        <Link to="/drafts/new" className="button primary">
          New draft <kbd>n</kbd>
        </Link>
      </div>
      <div className="two">
        <div className="stack">
          <Waiting />
          <Latest />
        </div>
        <Week />
      </div>
    </div>
  );
}

function Waiting() {
  const { data, error, isPending, refetch } = useQuery(inbox);
  const items = data?.items ?? [];
  return (
    <section className="card">
      <header>
        <h2>Waits for you</h2>
        {items.length > 0 && <Link to="/inbox">{plural(items.length, "item")}</Link>}
      </header>
      {isPending && <Loading lines={2} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && items.length === 0 && <Empty title="Nothing waits for you" />}
      <ul className="list">
        {items.slice(0, most).map((item) => (
          <li key={item.id}>
            <Link to="/inbox" className="list-line">
              <span className="title">{titleOf(item)}</span>
              <Time at={item.since} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Latest() {
  const { data, error, isPending, refetch } = useQuery(latestRuns);
  const runs = data?.runs ?? [];
  if (isPending || error !== null) {
    return (
      <section className="card">
        {isPending ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
      </section>
    );
  }
  if (runs.length === 0) {
    return (
      <section className="card">
        <Empty title="Nothing has run yet">
          <p>A draft is written, reviewed, and written again until both sides sign.</p>
          <Link to="/drafts/new" className="button primary">
            Start the first draft
          </Link>
        </Empty>
      </section>
    );
  }
  const isMoving = ({ state }: Run): boolean => state === "running" || state === "queued";
  const canGoOn = ({ resumable, state }: Run): boolean => resumable && state !== "waiting";
  return (
    <>
      <RunCard title="Running now" runs={runs.filter(isMoving)} empty="Nothing runs right now" />
      <RunCard
        title="Signed off lately"
        runs={runs.filter(({ outcome }) => outcome === "approved")}
        empty="Nothing has been signed off yet"
      />
      {runs.some(canGoOn) && <RunCard title="Can go on" runs={runs.filter(canGoOn)} empty="" />}
    </>
  );
}

function RunCard(props: {
  readonly title: string;
  readonly runs: readonly Run[];
  readonly empty: string;
}) {
  const { title, runs, empty } = props;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {runs.length > most && <Link to="/runs">all</Link>}
      </header>
      {runs.length === 0 && <p className="inside soft">{empty}</p>}
      <ul className="list">
        {runs.slice(0, most).map((run) => (
          <li key={run.run_id}>
            <RunLine run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Week() {
  const { data, error, isPending, refetch } = useQuery(costsOf(7));
  if (isPending) return <Loading />;
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  const { days } = data;
  const sum = (of: (day: Costs["days"][number]) => number): number =>
    days.reduce((all, day) => all + of(day), 0);
  const unpriced = sum((day) => day.unpriced);
  const uncounted = sum((day) => day.uncounted);
  const week = {
    ...{ unpriced, uncounted },
    micro_usd:
      atLeast(
        sum((day) => day.micro_usd ?? 0),
        unpriced,
      ) ?? null,
    tokens:
      atLeast(
        sum((day) => day.tokens ?? 0),
        uncounted,
      ) ?? null,
  };
  return (
    <section className="card">
      <header>
        <h2>This week</h2>
        <Link to="/runs">runs and cost</Link>
      </header>
      <div className="inside stack">
        <p className="figure">{cost(week)}</p>
        <p className="soft">
          {plural(
            sum((day) => day.runs),
            "run",
          )}
          ,{" "}
          {plural(
            sum((day) => day.calls),
            "call",
          )}
          , {tokens(week)}
          {unpriced > 0 && `; the price of ${plural(unpriced, "call")} is unknown`}
        </p>
        <CostChart days={days} />
      </div>
    </section>
  );
}
