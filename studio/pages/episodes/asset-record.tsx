import { useQuery } from "@tanstack/react-query";
import { describeVote } from "../../../src/domain/drafting/panel.ts";
import { textStateWords } from "../../../src/domain/episodes/text-standing.ts";
import { asTitle, plural } from "../../design/amounts.ts";
import { May } from "../../design/may.tsx";
import { Time } from "../../design/time.tsx";
import { reasons } from "../draft/decision-card.tsx";
import { Verdict } from "../draft/timeline.tsx";
import { type AssetDetail, commandFor, episodeOf } from "./episode-queries.ts";
import styles from "./episodes.module.css";

interface Decided {
  readonly episode: string;
  readonly detail: AssetDetail;
  readonly onUnlock: () => void;
  readonly onAdopt: () => void;
}

/** The state of this text, what it lacks, and what a person can do next. */
export function AssetDecision(props: Decided) {
  const { state, why, vote, decision, selection, is_text_locked, missing } = props.detail;
  const isOver = decision !== null && decision.outcome !== "in_progress";
  if (!isOver && selection === null) return null;
  return (
    <section className={`notice ${toneOf(state)} ${styles.decision}`} aria-label="Decision">
      <div className="stack tight">
        <strong>{asTitle(isFlawed(state) ? textStateWords[state] : why)}</strong>
        {state === "needs_human" && <span>A person has to pick a text, or unlock it.</span>}
        {isOver && isAboutLoop(state) && (
          <span>
            Turn {decision.final_iteration ?? "?"}:{" "}
            {reasons[decision.reason ?? ""] ?? decision.reason ?? "no reason given"}.
          </span>
        )}
        {vote !== null && (
          <span>Panel: {describeVote({ ...vote, calledPerson: vote.called_person })}.</span>
        )}
        {isFlawed(state) && <Missing episode={props.episode} missing={missing} />}
        {state === "edited" && <p className="text small">{selection?.text}</p>}
        {is_text_locked && (
          <span className="soft">This text is locked because links and feeds depend on it.</span>
        )}
      </div>
      <AssetActions {...props} />
    </section>
  );
}

function AssetActions({ detail: { can_unlock, missing }, onAdopt, onUnlock }: Decided) {
  const canAdopt = missing.some(({ command }) => command?.startsWith("episode adopt") === true);
  if (!canAdopt && !can_unlock) return null;
  return (
    <div className="row">
      <May do="decide">
        {canAdopt && (
          <button type="button" className="button primary" onClick={onAdopt}>
            Adopt <kbd>a</kbd>
          </button>
        )}
        {can_unlock && (
          <button type="button" className="button" onClick={onUnlock}>
            Unlock <kbd>u</kbd>
          </button>
        )}
      </May>
    </div>
  );
}

function Missing({
  episode,
  missing,
}: { readonly episode: string } & Pick<AssetDetail, "missing">) {
  const { data } = useQuery(episodeOf(episode));
  return (
    <ul aria-label="What is missing">
      {missing.map(({ text, command }) => (
        <li key={text}>
          {text}{" "}
          {command !== null && data !== undefined && (
            <>
              In a terminal: <code>{commandFor(data, command)}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function toneOf(state: AssetDetail["state"]): string {
  if (isFlawed(state)) return state === "stale" ? "wait" : "bad";
  return state === "signed" || state === "picked" ? "good" : "wait";
}

/** The loop's last word is about the selected text only in these states. */
function isAboutLoop(state: AssetDetail["state"]): boolean {
  return state === "signed" || state === "needs_human";
}

function isFlawed(state: AssetDetail["state"]): boolean {
  return ["stale", "edited", "unsigned", "evidence_missing"].includes(state);
}

/** The protocol of the loop: each turn's verdict and what was objected to. */
export function AssetReviews({ detail }: { readonly detail: AssetDetail }) {
  const { reviews } = detail;
  return (
    <section className="card">
      <header>
        <h2>Reviews</h2>
        <span className="soft">
          {reviews.length === 0 ? "none yet" : plural(reviews.length, "turn")}
        </span>
      </header>
      <ol className="list">
        {reviews.map((review) => (
          <li key={review.iteration} className="inside stack tight">
            <span className="row">
              <strong>Turn {review.iteration}</strong>
              <Verdict verdict={review.verdict} />
              {review.reviewer !== null && <span className="soft">{review.reviewer}</span>}
            </span>
            {review.summary !== null && <p className="soft">{review.summary}</p>}
            {review.issues.map((issue) => (
              <div key={issue.issue_id} className="issue stack tight">
                <p>
                  <span className={`badge ${issue.severity === "error" ? "bad" : "wait"}`}>
                    {issue.severity}
                  </span>{" "}
                  {issue.message}
                </p>
                {issue.quote !== null && <p className="quote">{issue.quote}</p>}
              </div>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

const acts = {
  pick: "picked a text",
  unlock: "unlocked it",
  adopt: "adopted the text",
  restart: "started over",
} as const;

export function AssetActs({ detail }: { readonly detail: AssetDetail }) {
  return (
    <section className="card">
      <header>
        <h2>Decisions</h2>
      </header>
      {detail.acts.length === 0 && <p className="inside soft">No decisions yet.</p>}
      <ul className="list">
        {detail.acts.toReversed().map((act) => (
          <li key={`${act.at} ${act.kind}`} className="inside stack tight">
            <p>
              <strong>{act.by}</strong> {acts[act.kind]} <Time at={act.at} />
            </p>
            {act.reason !== null && <p className="quote">{act.reason}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
