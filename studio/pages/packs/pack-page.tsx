import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useKeys } from "../../app/use-keys.ts";
import { PackTrend } from "../../charts/pack-trend.tsx";
import { StepHeatMap } from "../../charts/step-heat-map.tsx";
import { AbsentPage } from "../../design/absent-page.tsx";
import { plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { type PackRun, packOf } from "./pack-queries.ts";
import styles from "./packs.module.css";
import { RunBadge } from "./status-badge.tsx";

const mostShown = 40;

/** One pack: how its runs went over time, and two of them to compare. */
export function PackPage() {
  const { pack } = useParams({ from: "/packs/$pack" });
  const { data, error, isPending, refetch } = useQuery(packOf(pack));
  const finished = useMemo(
    () => (data?.runs ?? []).filter(({ state }) => state === "finished"),
    [data],
  );
  const trend = useMemo(() => finished.slice(0, mostShown).reverse(), [finished]);
  const { chosen, toggle } = useTwo(finished);
  const navigate = useNavigate();
  const [after, before] = chosen;
  const compare = () =>
    void navigate({
      to: "/packs/$pack/compare",
      params: { pack },
      search: { before: before?.run_id ?? "", after: after?.run_id ?? "" },
    });
  const canCompare = before !== undefined;
  useKeys({ c: canCompare ? compare : undefined });
  const retry = (): void => void refetch();
  if (data === undefined && error !== null) {
    return <AbsentPage error={error} onRetry={retry} list="/packs" />;
  }
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <p className="soft">
            <Link to="/packs">Packs</Link>
          </p>
          <PageTitle>{data?.title ?? pack}</PageTitle>
          <div className="row soft">
            <span className="mono">{pack}</span>
            {data !== undefined && plural(data.runs.length, "run")}
          </div>
        </div>
        {finished.length > 1 && (
          <button type="button" className="button" disabled={!canCompare} onClick={compare}>
            Compare two runs <kbd>c</kbd>
          </button>
        )}
      </div>
      {isPending && <Loading />}
      {error !== null && <Failure error={error} onRetry={retry} />}
      {data !== undefined && (
        <>
          {finished.length > 0 && (
            <section className="card">
              <header>
                <h2>Trend</h2>
              </header>
              <div className="inside">
                <PackTrend runs={trend} />
              </div>
            </section>
          )}
          <StepHeatMap pack={pack} />
          <section className="card">
            <header>
              <h2>Runs</h2>
              {finished.length > 1 && <span className="soft">Tick two runs to compare them.</span>}
            </header>
            <ul className="list">
              {data.runs.map((run) => (
                <li key={run.run_id} className={styles.runChoice}>
                  {finished.length > 1 && (
                    <input
                      type="checkbox"
                      aria-label={`Compare the run of ${run.started_at ?? "now"}`}
                      disabled={run.state !== "finished"}
                      checked={chosen.includes(run)}
                      onChange={() => toggle(run)}
                    />
                  )}
                  <RunRow run={run} />
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </div>
  );
}

/** The two latest until the person chooses; a third choice replaces the older of the two. Newest first. */
function useTwo(runs: readonly PackRun[]) {
  const [ticked, setTicked] = useState<readonly string[]>();
  const ids = ticked ?? runs.slice(0, 2).map(({ run_id }) => run_id);
  const toggle = ({ run_id }: PackRun): void =>
    setTicked(
      ids.includes(run_id) ? ids.filter((id) => id !== run_id) : [...ids, run_id].slice(-2),
    );
  return { chosen: runs.filter(({ run_id }) => ids.includes(run_id)), toggle };
}

function RunRow({ run }: { readonly run: PackRun }) {
  return (
    <Link
      to="/packs/$pack/runs/$run"
      params={{ pack: run.pack_id, run: run.run_id }}
      className="list-line"
    >
      <span className="title">
        {run.state === "finished"
          ? `${run.steps_passed} of ${plural(run.steps, "step")} passed`
          : "No result"}
      </span>
      <RunBadge run={run} />
      <span className="row soft">
        {run.unresolved_p0 > 0 && <span>{run.unresolved_p0} P0 open</span>}
        {run.loop !== null && <span>iteration {run.loop.iteration} of a loop</span>}
        {run.loop?.score != null && <span>score {run.loop.score}</span>}
        {run.stage_id !== null && <span>stage {run.stage_id}</span>}
      </span>
      {run.started_at !== null && <Time at={run.started_at} />}
    </Link>
  );
}
