import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useKeys } from "../../app/use-keys.ts";
import { plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Divergence } from "./divergence.tsx";
import { type Comparison, comparisonOf, packOf, reportOf } from "./pack-queries.ts";
import { PackTrail } from "./pack-trail.tsx";
import styles from "./packs.module.css";
import { StatusBadge } from "./status-badge.tsx";

const from = "/packs/$pack/compare";

/** Two runs of a pack: where they part first, what follows from it, what got better and worse. */
export function ComparePage() {
  const { pack } = useParams({ from });
  const { before = "", after = "" } = useSearch({ from });
  const comparison = useQuery(comparisonOf(before, after));
  const left = useQuery(reportOf(before));
  const right = useQuery(reportOf(after));
  const error = comparison.error ?? left.error ?? right.error;
  const isPending = before !== "" && after !== "" && error === null;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PackTrail pack={pack} />
          <PageTitle>Compare two runs</PageTitle>
        </div>
      </div>
      <Choice pack={pack} before={before} after={after} />
      {error !== null && <Failure error={error} />}
      {comparison.data !== undefined && left.data !== undefined && right.data !== undefined ? (
        <>
          <Summary comparison={comparison.data} />
          {comparison.data.divergences.map((divergence) => (
            <Divergence
              key={divergence.scenario_id}
              divergence={divergence}
              before={left.data}
              after={right.data}
            />
          ))}
        </>
      ) : (
        isPending && <Loading />
      )}
    </div>
  );
}

function Choice(props: { readonly pack: string; readonly before: string; readonly after: string }) {
  const { pack, before, after } = props;
  const { data } = useQuery(packOf(pack));
  const navigate = useNavigate({ from });
  const go = (search: { readonly before: string; readonly after: string }): void =>
    void navigate({ search, replace: true, resetScroll: false });
  const swap = (): void => go({ before: after, after: before });
  useKeys({ x: swap });
  const options = (data?.runs ?? [])
    .filter(({ state }) => state === "finished")
    .map((run) => (
      <option key={run.run_id} value={run.run_id}>
        {run.started_at === null ? run.run_id : new Date(run.started_at).toLocaleString()}
        {` · ${run.steps_passed} of ${run.steps}`}
      </option>
    ));
  return (
    <div className="card">
      <div className={`inside ${styles.choice}`}>
        <label className="field">
          <span>Before</span>
          <select value={before} onChange={(event) => go({ before: event.target.value, after })}>
            <option value="">Choose a run</option>
            {options}
          </select>
        </label>
        <button type="button" className="button" onClick={swap}>
          Swap <kbd>x</kbd>
        </button>
        <label className="field">
          <span>After</span>
          <select value={after} onChange={(event) => go({ before, after: event.target.value })}>
            <option value="">Choose a run</option>
            {options}
          </select>
        </label>
      </div>
    </div>
  );
}

function Summary({ comparison }: { readonly comparison: Comparison }) {
  const { divergences, better, worse, only_before, only_after } = comparison;
  if (divergences.length + only_before.length + only_after.length === 0) {
    return (
      <section className="card">
        <Empty title="The two runs are the same">
          <p>Every question, answer and status matches.</p>
        </Empty>
      </section>
    );
  }
  return (
    <section className="card" aria-label="What changed">
      <header>
        <h2>
          {plural(better.length, "step")} better, {plural(worse.length, "step")} worse
        </h2>
      </header>
      <ul className="list">
        {[...worse, ...better].map((change) => (
          <li key={`${change.scenario_id} ${change.step_id}`} className={styles.change}>
            <span className="mono">
              {change.scenario_id}/{change.step_id}
            </span>
            <span className="row">
              <StatusBadge status={change.before} /> → <StatusBadge status={change.after} />
            </span>
          </li>
        ))}
        <Only title="Only in the first" places={only_before} />
        <Only title="Only in the second" places={only_after} />
      </ul>
    </section>
  );
}

function Only({ title, places }: { readonly title: string; readonly places: readonly string[] }) {
  return places.length === 0 ? null : (
    <li className={styles.change}>
      <span>{title}</span>
      <span className="mono">{places.join(", ")}</span>
    </li>
  );
}
