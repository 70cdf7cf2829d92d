import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { type Pack, packs } from "./pack-queries.ts";
import styles from "./packs.module.css";
import { RunBadge } from "./status-badge.tsx";
import { TrendChart } from "./trend-chart.tsx";

/** Every pack of questions that was asked in this project. */
export function PacksPage() {
  const { data, error, isPending, refetch } = useQuery(packs);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Packs</PageTitle>
          <p className="soft">
            Chains of questions, asked of a live assistant and judged strictly.
          </p>
        </div>
      </div>
      {isPending && <Loading />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.packs.length === 0 && (
        <section className="card">
          <Empty title="No pack runs yet">
            <p>
              A pack is a manifest of questions for your assistant; <code>signoff pack run</code>{" "}
              asks them. This command makes a project with a pack that has already run:
            </p>
            <pre className="command">signoff demo --studio --open</pre>
          </Empty>
        </section>
      )}
      {data !== undefined && data.packs.length > 0 && (
        <section className="card">
          <ul className="list">
            {data.packs.map((pack) => (
              <li key={pack.pack_id}>
                <PackLine pack={pack} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function PackLine({ pack }: { readonly pack: Pack }) {
  const latest = pack.recent.at(-1);
  return (
    <Link to="/packs/$pack" params={{ pack: pack.pack_id }} className={styles.packLine}>
      <span className="stack tight">
        <span className={styles.packTitle}>{pack.title}</span>
        <span className="row soft">
          <span className="mono">{pack.pack_id}</span>
          {plural(pack.runs, "run")}
          {latest?.started_at != null && <Time at={latest.started_at} />}
        </span>
      </span>
      <TrendChart runs={pack.recent} />
      {latest !== undefined && (
        <span className={`row end ${styles.state}`}>
          {latest.state === "finished" && (
            <span className="soft number">
              {latest.steps_passed} of {latest.steps}
            </span>
          )}
          <RunBadge run={latest} />
        </span>
      )}
    </Link>
  );
}
