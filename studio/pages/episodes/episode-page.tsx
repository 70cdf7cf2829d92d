import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { isAccepted } from "../../../src/domain/episodes/text-standing.ts";
import { AbsentPage } from "../../design/absent-page.tsx";
import { plural } from "../../design/amounts.ts";
import { CopyCommand } from "../../design/copy-command.tsx";
import { May } from "../../design/may.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { AssetBadges, assetName, assetTones, verdictWords } from "./asset-words.tsx";
import { EpisodeMaterial } from "./episode-material.tsx";
import { type AssetStatus, commandFor, type EpisodeStatus, episodeOf } from "./episode-queries.ts";
import { EpisodeWork } from "./episode-work.tsx";
import styles from "./episodes.module.css";

/** An episode as a board: each of its texts, and what is missing before it can be published. */
export function EpisodePage() {
  const { episode } = useParams({ from: "/episodes/$episode" });
  const { data, error, refetch } = useQuery(episodeOf(episode));
  if (data === undefined) {
    return <AbsentPage error={error} onRetry={() => void refetch()} list="/episodes" />;
  }
  const signed = data.assets.filter(isAccepted).length;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>{data.episode_id ?? data.workspace}</PageTitle>
          <div className="row">
            <span className={`badge ${signed === data.assets.length ? "good" : ""}`}>
              {signed} of {data.assets.length} signed
            </span>
            <span className="soft">{data.workspace}</span>
          </div>
        </div>
        <May do="run">
          <EpisodeWork episode={episode} />
        </May>
      </div>
      <Problems problems={data.problems} />
      <Checklist checklist={data.checklist} />
      <ul className={styles.board} aria-label="Texts">
        {data.assets.map((asset) => (
          <li key={asset.asset_id}>
            <AssetCard episode={episode} asset={asset} />
          </li>
        ))}
      </ul>
      <NextSteps status={data} />
      <EpisodeMaterial episode={episode} />
    </div>
  );
}

function AssetCard(props: { readonly episode: string; readonly asset: AssetStatus }) {
  const { episode, asset } = props;
  const [first] = asset.outstanding_issues;
  return (
    <Link
      to="/episodes/$episode/$asset"
      params={{ episode, asset: asset.asset_id }}
      className={`card ${styles.asset} ${styles[assetTones[asset.state]] ?? ""}`}
    >
      <strong>{assetName(asset.asset_id)}</strong>
      <AssetBadges asset={asset} />
      <span className="soft">{progressOf(asset)}</span>
      {first !== undefined && <span className={`soft ${styles.clipped}`}>{first.message}</span>}
    </Link>
  );
}

function progressOf(asset: AssetStatus): string {
  const { candidates, iteration, max_iterations, verdict } = asset;
  const texts = candidates === 0 ? "no candidate yet" : plural(candidates, "candidate");
  if (iteration === 0) return texts;
  const turn = `turn ${iteration} of ${max_iterations ?? "?"}`;
  return [texts, turn, ...(verdict === null ? [] : [verdictWords(verdict)])].join(", ");
}

const tones = {
  ok: "good",
  missing: "",
  optional: "",
  incomplete: "wait",
  stale: "wait",
  blocked: "bad",
} as const;

function Checklist({ checklist }: Pick<EpisodeStatus, "checklist">) {
  return (
    <ol className={styles.pipeline} aria-label="Pipeline">
      {checklist.map(({ label, state, detail }) => (
        <li key={label} title={detail ?? undefined}>
          <span className={`badge ${tones[state]}`}>
            {label}
            {state === "ok" ? " ✓" : `: ${state}`}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Problems({ problems }: Pick<EpisodeStatus, "problems">) {
  if (problems.length === 0) return null;
  return (
    <section className="notice bad" aria-label="Problems">
      <strong>Files of this episode cannot be read</strong>
      <ul>
        {problems.map(({ file, message }) => (
          <li key={`${file} ${message}`}>
            <code>{file}</code> {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

function NextSteps({ status }: { readonly status: EpisodeStatus }) {
  const { next_steps, conclusion } = status;
  if (conclusion !== null) {
    const { text, command } = conclusion;
    return (
      <section className={`notice ${command === null ? "good" : "wait"}`} aria-label="Conclusion">
        <strong>{text}</strong>
        {command !== null && <CopyCommand command={commandFor(status, command)} />}
      </section>
    );
  }
  return (
    <section className="card">
      <header>
        <h2>Next steps</h2>
        <span className="soft">In a terminal, in the project's folder</span>
      </header>
      <ul className="list">
        {next_steps.map(({ command, why }) => (
          <li key={command} className="inside stack tight">
            <CopyCommand command={commandFor(status, command)} />
            <span className="soft">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
