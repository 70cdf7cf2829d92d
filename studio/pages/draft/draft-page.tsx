import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, memo, Suspense, useMemo } from "react";
import { excerpt } from "../../../src/domain/scenarios/folded-text.ts";
import { useLiveTexts } from "../../api/live.ts";
import {
  type Iteration,
  type RunDetail,
  runOf,
  type Session,
  sessionOf,
  type Turns,
  turnsOf,
} from "../../api/queries.ts";
import { useKeys } from "../../app/use-keys.ts";
import { AbsentPage } from "../../design/absent-page.tsx";
import { plural } from "../../design/amounts.ts";
import { OpenItem } from "../../design/at-work.tsx";
import { longestTitle, PageTitle } from "../../design/page-title.tsx";
import { NotByModel, StateBadge } from "../../design/state-badge.tsx";
import { Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { CallList } from "../runs/call-list.tsx";
import { DecisionCard } from "./decision-card.tsx";
import styles from "./draft.module.css";
import { DraftActions } from "./draft-actions.tsx";
import { IssueList } from "./issue-list.tsx";
import { LivePhase } from "./live-phase.tsx";
import { PanelVotes } from "./panel-votes.tsx";
import { Rulings } from "./rulings.tsx";
import { Timeline } from "./timeline.tsx";
import { TurnText } from "./turn-text.tsx";

const TurnCharts = lazy(async () => ({
  default: memo((await import("../../charts/turn-charts.tsx")).TurnCharts),
}));

export function DraftPage() {
  const { run } = useParams({ from: "/drafts/$run" });
  const detail = useQuery(runOf(run));
  const session = useQuery(sessionOf(run));
  const turns = useQuery(turnsOf(run));
  const error = detail.error ?? session.error ?? turns.error;
  // What was read stays when the server is lost, and with it what a person is writing.
  if (detail.data !== undefined && session.data !== undefined && turns.data !== undefined) {
    return <Draft detail={detail.data} session={session.data} turns={turns.data} />;
  }
  const retry = (): void => {
    for (const part of [detail, session, turns]) void part.refetch();
  };
  return <AbsentPage error={error} onRetry={retry} list="/runs" />;
}

interface DraftParts {
  readonly detail: RunDetail;
  readonly session: Session;
  readonly turns: Turns;
}

function Draft({ detail, session, turns }: DraftParts) {
  const all = useMemo(() => [...turns.previous, ...turns.turns], [turns]);
  const { chosen, against, choose, compare } = useChosen(all, session);
  const isMoving = detail.state === "running" || detail.state === "queued";
  const said = useLiveTexts(detail.run_id, isMoving);
  const at = chosen === undefined ? -1 : all.indexOf(chosen);
  const go = (step: number): void => {
    const next = all[at + step];
    if (next !== undefined) choose(next.iteration);
  };
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    ArrowRight: () => go(1),
    ArrowLeft: () => go(-1),
    d: () => compare(against === undefined ? all[at - 1]?.iteration : undefined),
  });
  return (
    <div className="page">
      <DraftHead detail={detail} session={session} chosen={chosen} />
      {isMoving && <LivePhase turns={turns} maxTurns={session.max_turns} said={said} />}
      <div className={styles.draft}>
        <Timeline turns={all} chosen={chosen?.iteration} onChoose={choose} session={session} />
        <div className="stack">
          {chosen === undefined ? (
            <section className="card">
              <p className="inside soft">
                {isMoving ? "The first turn is not complete yet." : "No turn was completed."}
              </p>
            </section>
          ) : (
            <TurnText
              title={session.user_input}
              chosen={chosen}
              all={all}
              against={against}
              onCompare={compare}
            />
          )}
          {chosen !== undefined && <PanelVotes chosen={chosen} session={session} />}
          <DecisionCard session={session} detail={detail} />
          <Rulings run={detail.run_id} />
        </div>
        {chosen !== undefined && <IssueList chosen={chosen} all={all} />}
      </div>
      {all.length > 1 && (
        <Suspense fallback={<Loading />}>
          <TurnCharts turns={all} />
        </Suspense>
      )}
      <CallList run={detail.run_id} />
    </div>
  );
}

/** The turn that is looked at is part of the address, so a link leads to exactly what was seen. */
function useChosen(all: readonly Iteration[], session: Session) {
  const search = useSearch({ from: "/drafts/$run" });
  const navigate = useNavigate({ from: "/drafts/$run" });
  const decided = session.decision?.final_iteration ?? undefined;
  const number = search.turn ?? decided ?? all.at(-1)?.iteration;
  const chosen = all.find(({ iteration }) => iteration === number) ?? all.at(-1);
  const against = all.find(({ iteration }) => iteration === search.against);
  return {
    chosen,
    against: against === chosen ? undefined : against,
    choose: (turn: number) =>
      void navigate({
        search: (before) => ({ ...before, turn }),
        replace: true,
        resetScroll: false,
      }),
    compare: (turn: number | undefined) =>
      void navigate({
        search: ({ against: _, ...before }) =>
          turn === undefined ? before : { ...before, against: turn },
        replace: true,
        resetScroll: false,
      }),
  };
}

function DraftHead(props: {
  readonly detail: RunDetail;
  readonly session: Session;
  readonly chosen: Iteration | undefined;
}) {
  const { detail, session, chosen } = props;
  const brief = session.user_input.trim();
  const title = excerpt(brief, longestTitle);
  return (
    <div className="page-head">
      <div>
        <PageTitle>{title}</PageTitle>
        {title !== brief && (
          <details>
            <summary>The whole brief</summary>
            <p className="text small">{brief}</p>
          </details>
        )}
        <div className="row">
          <StateBadge run={detail} />
          <span className="badge">{session.recipe}</span>
          <NotByModel deciders={session.deciders} />
          <OpenItem item={detail.run_id} />
          <span className="soft">
            {plural(session.turn_count, "turn")} of {session.max_turns}
          </span>
          <Time at={detail.updated_at} />
          {detail.follows !== null && (
            <Link to="/drafts/$run" params={{ run: detail.follows }} className="soft">
              Continues an earlier draft
            </Link>
          )}
          {detail.followed_by !== null && (
            <Link to="/drafts/$run" params={{ run: detail.followed_by }}>
              Continued in a later draft
            </Link>
          )}
        </div>
      </div>
      <DraftActions detail={detail} session={session} chosen={chosen} />
    </div>
  );
}
