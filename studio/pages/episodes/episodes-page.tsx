import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { type EpisodeLine, episodeList } from "./episode-queries.ts";
import styles from "./episodes.module.css";

export function EpisodesPage() {
  const { data, error, isPending, refetch } = useQuery(episodeList);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Episodes</PageTitle>
          <p className="soft">Workspaces below this project, each with its texts.</p>
        </div>
      </div>
      {isPending && <Loading />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.episodes.length === 0 && (
        <section className="card">
          <Empty title="There is no episode yet">
            <p>
              Make one: <code>signoff episode init --episode-id my-first</code>
            </p>
          </Empty>
        </section>
      )}
      {data !== undefined && data.episodes.length > 0 && (
        <section className="card" aria-label="Episodes">
          <ul className="list">
            {data.episodes.map((line) => (
              <li key={line.id}>
                <Line line={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Line({ line }: { readonly line: EpisodeLine }) {
  return (
    <Link to="/episodes/$episode" params={{ episode: line.id }} className="list-line">
      <span className="title">{line.episode_id ?? line.workspace}</span>
      <span className="row">
        {line.problems > 0 && <span className="badge bad">{plural(line.problems, "problem")}</span>}
        {line.needs_human > 0 && (
          <span className="badge wait">{line.needs_human} for a person</span>
        )}
        {line.stale > 0 && <span className="badge wait">{line.stale} stale</span>}
        <span className={`badge ${line.signed === line.assets ? "good" : ""}`}>
          {line.signed} of {line.assets} signed
        </span>
      </span>
      <span className="soft">{line.workspace}</span>
      <progress
        className={styles.signedBar}
        aria-label="Signed texts"
        value={line.signed}
        max={Math.max(1, line.assets)}
      />
    </Link>
  );
}
