import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { excerpt } from "../../../src/domain/scenarios/folded-text.ts";
import { partsOf, type RunDetail, runOf } from "../../api/queries.ts";
import { AbsentPage } from "../../design/absent-page.tsx";
import { cost, plural, seconds, tokens } from "../../design/amounts.ts";
import { May } from "../../design/may.tsx";
import { longestTitle, PageTitle } from "../../design/page-title.tsx";
import { RunLine } from "../../design/run-line.tsx";
import { aboutOf, kindWords } from "../../design/run-place.ts";
import { NotByModel, StateBadge } from "../../design/state-badge.tsx";
import { Failure } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { useDecisions } from "../draft/use-decisions.ts";
import { CallList } from "./call-list.tsx";

/** A run of any kind: what it is about, what it is made of, and its calls. */
export function RunPage() {
  const { run } = useParams({ from: "/runs/$run" });
  const { data, error, refetch } = useQuery(runOf(run));
  const retry = (): void => void refetch();
  if (data === undefined) return <AbsentPage error={error} onRetry={retry} list="/runs" />;
  return (
    <div className="page">
      {error !== null && <Failure error={error} onRetry={retry} />}
      <RunHead run={data} />
      {data.ending?.message != null && <p className="notice wait">{data.ending.message}</p>}
      <Parts run={run} />
      <CallList run={run} />
    </div>
  );
}

const places: { readonly [kind: string]: string } = {
  draft: "Open the draft",
  episode: "Open the episode",
  asset: "Open the text",
  pack_run: "Open the transcript",
  stage: "Open the stage",
  note: "Open the note",
  notes: "Open the notes",
};

function RunHead({ run }: { readonly run: RunDetail }) {
  const { resume } = useDecisions(run);
  const about = aboutOf(run);
  const canResume = run.resumable && !["waiting", "queued"].includes(run.state);
  return (
    <div className="page-head">
      <div>
        <p className="soft">
          <Link to="/runs">Runs</Link>
          {run.parent !== null && (
            <>
              {" / "}
              <Link to="/runs/$run" params={{ run: run.parent }}>
                the run it is part of
              </Link>
            </>
          )}
        </p>
        <PageTitle>{excerpt(run.title, longestTitle)}</PageTitle>
        <div className="row">
          <StateBadge run={run} />
          <span className="badge">{kindWords(run.kind)}</span>
          <NotByModel deciders={run.deciders} />
          <span className="soft">
            {tokens(run.spent)}, {cost(run.spent)}, {seconds(run.spent.seconds)}
          </span>
          <Time at={run.updated_at} />
        </div>
        {resume.error !== null && <Failure error={resume.error} />}
      </div>
      <div className="row">
        {canResume && (
          <May do="run">
            <button
              type="button"
              className="button"
              disabled={resume.isPending}
              onClick={() => resume.mutate()}
            >
              Resume
            </button>
          </May>
        )}
        {about !== undefined && run.place !== null && (
          <Link {...about} className="button primary">
            {places[run.place.kind]}
          </Link>
        )}
      </div>
    </div>
  );
}

/** Scenarios of a pack, texts of an episode, single reviews. */
function Parts({ run }: { readonly run: string }) {
  const parts = useQuery(partsOf(run)).data?.runs ?? [];
  if (parts.length === 0) return null;
  return (
    <section className="card" aria-label="Parts">
      <header>
        <h2>Parts</h2>
        <span className="soft">{plural(parts.length, "run")}</span>
      </header>
      <ul className="list">
        {parts.map((part) => (
          <li key={part.run_id}>
            <RunLine run={part} />
          </li>
        ))}
      </ul>
    </section>
  );
}
