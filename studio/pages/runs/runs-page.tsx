import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { lazy, Suspense, useEffect, useRef } from "react";
import { costsOf, type Run, runsPages } from "../../api/queries.ts";
import { cost, figure, money, plural, seconds, tokens } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { kindWords, placeOfRun } from "../../design/run-place.ts";
import { NotByModel, StateBadge } from "../../design/state-badge.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { ExportRuns } from "./export-runs.tsx";
import { RunFilters } from "./run-filters.tsx";
import styles from "./runs.module.css";
import { queryOf, type RunsSearch } from "./runs-search.ts";

/** In letters, as in runs.css: 61 pixels at the usual size. */
const rowHeight = 3.8125;

const CostCharts = lazy(async () => ({
  default: (await import("../../charts/cost-charts.tsx")).CostCharts,
}));

export function RunsPage() {
  const search = useSearch({ from: "/runs" });
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Runs and cost</PageTitle>
        </div>
        <ExportRuns filter={queryOf(search)} />
      </div>
      <Spending />
      <RunFilters search={search} />
      <RunTable search={search} />
    </div>
  );
}

function Spending() {
  const { data } = useQuery(costsOf(14));
  if (data === undefined || data.cells.length === 0) return null;
  return (
    <section className="card" aria-label="Two weeks">
      <header>
        <h2>Two weeks</h2>
        <span className="row soft">
          {data.models.map((model) => (
            <span key={model.model}>
              {model.model}: {plural(model.calls, "call")}
              {model.failed > 0 && `, ${model.failed} failed`}, {tokens(model)}, {cost(model)}
            </span>
          ))}
        </span>
      </header>
      <Suspense fallback={<Loading />}>
        <CostCharts costs={data} />
      </Suspense>
    </section>
  );
}

/** Only the rows on the screen exist, and a page is read when its first row comes near. */
function RunTable({ search }: { readonly search: RunsSearch }) {
  const query = useInfiniteQuery(runsPages(queryOf(search)));
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const runs = data?.pages.flatMap((page) => page.runs) ?? [];
  const ref = useRef<HTMLDivElement>(null);
  const rows = useWindowVirtualizer({
    count: runs.length,
    estimateSize: () =>
      rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    overscan: 8,
    scrollMargin: ref.current?.offsetTop ?? 0,
  });
  const shown = rows.getVirtualItems();
  const isNearEnd = runs.length > 0 && (shown.at(-1)?.index ?? 0) > runs.length - 20;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (isPending) return <Loading lines={5} />;
  if (error !== null && runs.length === 0)
    return <Failure error={error} onRetry={() => void refetch()} />;
  if (runs.length === 0) {
    return (
      <section className="card">
        <Empty title="No matching runs" />
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed by the virtualiser, which a table cannot do
    <div
      role="table"
      aria-label="Runs"
      aria-rowcount={hasNextPage ? -1 : runs.length + 1}
      className="card"
    >
      <HeadRow />
      {/* biome-ignore lint/a11y/useSemanticElements: see the table */}
      <div
        ref={ref}
        role="rowgroup"
        className={styles.rows}
        style={{ height: rows.getTotalSize() }}
      >
        {shown.map(({ index, start }) => {
          const run = runs[index];
          if (run === undefined) return null;
          const top = start - rows.options.scrollMargin;
          return <RunRow key={run.run_id} run={run} index={index} top={top} />;
        })}
      </div>
      {isFetchingNextPage && (
        <p className="inside soft" role="status">
          Looking at older runs…
        </p>
      )}
    </div>
  );
}

const columns: readonly (readonly [name: string, text: string])[] = [
  ["title", "Run"],
  ["kind", "Kind"],
  ["state", "State"],
  ["amount", "Tokens"],
  ["amount", "Cost"],
  ["amount", "Time"],
  ["time", "Started"],
];

function HeadRow() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the table
    // biome-ignore lint/a11y/useFocusableInteractive: see the table
    <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.head}`}>
      {columns.map(([name, text]) => (
        // biome-ignore lint/a11y/useSemanticElements: see the table
        // biome-ignore lint/a11y/useFocusableInteractive: see the table
        <span key={text} role="columnheader" className={styles[name]}>
          {text}
        </span>
      ))}
    </div>
  );
}

function RunRow(props: { readonly run: Run; readonly index: number; readonly top: number }) {
  const { run, index, top } = props;
  const { spent } = run;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the table
    // biome-ignore lint/a11y/useFocusableInteractive: the link inside takes the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Cell name="title">
        <Link {...placeOfRun(run)}>{run.title}</Link>
      </Cell>
      <Cell name="kind">
        <Link to="/runs/$run" params={{ run: run.run_id }} className="soft" title="Calls and cost">
          {kindWords(run.kind)}
        </Link>{" "}
        <NotByModel deciders={run.deciders} />
      </Cell>
      <Cell name="state">
        <StateBadge run={run} />
      </Cell>
      <Cell name="amount">{figure(spent.tokens, spent.uncounted)}</Cell>
      <Cell name="amount">{figure(spent.micro_usd, spent.unpriced, money)}</Cell>
      <Cell name="amount">{seconds(spent.seconds)}</Cell>
      <Cell name="time">
        <Time at={run.created_at} />
      </Cell>
    </div>
  );
}

function Cell({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  const isNumber = name === "amount";
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the table
    <span role="cell" className={`${styles[name]} ${isNumber ? "number" : ""}`}>
      {children}
    </span>
  );
}
