import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { defined } from "../../../src/domain/values/defined.ts";
import { ask } from "../../api/client.ts";
import { OpenItem } from "../../design/at-work.tsx";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { Differences } from "../../design/differences.tsx";
import { MarkedText } from "../../design/marked-text.tsx";
import { May } from "../../design/may.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import { Term } from "../../design/term.tsx";
import { Time } from "../../design/time.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import { type Finding, type Pair, type PairPlace, pairOf } from "./note-queries.ts";
import styles from "./notes.module.css";
import { useReview } from "./use-review.ts";

/** A cell, opened: the review, its findings in the text, what changed since, and what a person may do. */
export function PairPanel(props: { readonly place: PairPlace; readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery(pairOf(props.place));
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // The arrow keys keep moving through the matrix while the pair beside it follows.
    if (document.activeElement?.getAttribute("role") === "grid") return;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section
      ref={panel}
      className={`card ${styles.pair}`}
      aria-label="The chosen pair"
      tabIndex={-1}
    >
      <header>
        <div className="stack tight">
          <h2>{data?.note ?? "…"}</h2>
          <span className="row">
            <span className="badge">{props.place.gate}</span>
            <OpenItem item={`${props.place.noteId} ${props.place.gate}`} />
            {data !== undefined && <PairBadge pair={data} />}
          </span>
        </div>
        <button type="button" className="button quiet" onClick={props.onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {error !== null && (
        <div className="inside">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {error === null && data === undefined && <Loading />}
      {data !== undefined && <PairBody pair={data} place={props.place} />}
    </section>
  );
}

function PairBadge({ pair }: { readonly pair: Pair }) {
  const { state, accepted, reason } = pair;
  if (state === "undecided") return <span className="badge busy">undecided</span>;
  if (state === "stale")
    return (
      <span className="badge wait">
        <Term of="stale" />: {reason}
      </span>
    );
  const tone = accepted?.decision === "pass" ? "good" : "bad";
  return <span className={`badge ${tone}`}>{accepted?.decision ?? "fresh"}</span>;
}

function PairBody({ pair, place }: { readonly pair: Pair; readonly place: PairPlace }) {
  const [isDiff, setDiff] = useState(false);
  const review = useMemo(
    () => (pair.review === null ? undefined : { issues: pair.review.findings }),
    [pair],
  );
  const { accepted_text } = pair;
  return (
    <div className={`inside ${styles.pairBody}`}>
      <div className="stack">
        <p className="soft">{pair.sentence}</p>
        <PairActions pair={pair} place={place} />
        {accepted_text !== null && (
          <label className="row">
            <input
              type="checkbox"
              checked={isDiff}
              onChange={({ target }) => setDiff(target.checked)}
            />
            Show changes since it was accepted
          </label>
        )}
        <div className={styles.noteText}>
          {isDiff && accepted_text !== null ? (
            <Differences before={accepted_text} after={pair.text} />
          ) : (
            <MarkedText text={pair.text} review={review} testId="note-text" isSmall />
          )}
        </div>
      </div>
      <PairReview pair={pair} />
    </div>
  );
}

function PairActions({ pair, place }: { readonly pair: Pair; readonly place: PairPlace }) {
  const [asking, setAsking] = useState<"acknowledge" | "override">();
  const review = useReview({
    note_ids: [place.noteId],
    gates: [place.gate],
    retry_undecided: true,
    again: true,
    ...defined({ model: place.model }),
  });
  const canOverride = pair.state === "fresh" && pair.accepted !== null;
  return (
    <>
      <div className="row">
        {(canOverride || pair.can_acknowledge) && (
          <May do="decide">
            {canOverride && (
              <button type="button" className="button" onClick={() => setAsking("override")}>
                Override
              </button>
            )}
            {pair.can_acknowledge && (
              <button type="button" className="button" onClick={() => setAsking("acknowledge")}>
                Acknowledge
              </button>
            )}
          </May>
        )}
        <May do="run">
          <button
            type="button"
            className={pair.state === "fresh" ? "button" : "button primary"}
            disabled={review.isPending}
            onClick={() => review.mutate(undefined)}
          >
            Review again
          </button>
        </May>
      </div>
      {review.error !== null && <Failure error={review.error} />}
      {asking === "acknowledge" && (
        <AckDialog pair={pair} place={place} onClose={() => setAsking(undefined)} />
      )}
      {asking === "override" && (
        <OverrideDialog pair={pair} place={place} onClose={() => setAsking(undefined)} />
      )}
    </>
  );
}

function AckDialog(props: {
  readonly pair: Pair;
  readonly place: PairPlace;
  readonly onClose: () => void;
}) {
  const { pair, place, onClose } = props;
  const [version] = useState(pair.version);
  const { noteId: note_id, gate, model } = place;
  return (
    <DecisionDialog
      title="The earlier review still holds"
      label="Why?"
      action="Acknowledge"
      decide={(reason) =>
        ask("POST /api/v1/notes/acknowledge", {
          body: { note_id, gate, version, reason, ...defined({ model }) },
        })
      }
      onClose={onClose}
    >
      <p className="soft">
        {pair.note} keeps “{pair.accepted?.decision}” for {pair.gate}.
      </p>
    </DecisionDialog>
  );
}

const verdicts = ["pass", "warn", "fail"] as const;

/** Puts another verdict in the place of the reviewer's; it counts until the note or the gate changes. */
function OverrideDialog(props: {
  readonly pair: Pair;
  readonly place: PairPlace;
  readonly onClose: () => void;
}) {
  const { pair, place, onClose } = props;
  const [version] = useState(pair.version);
  const others = verdicts.filter((one) => one !== pair.accepted?.decision);
  const [decision, setDecision] = useState<(typeof verdicts)[number]>(others[0] ?? "pass");
  const { noteId: note_id, gate, model } = place;
  return (
    <DecisionDialog
      title="Override the verdict"
      label="Why is the verdict wrong?"
      action="Override"
      decide={(reason) =>
        ask("POST /api/v1/notes/override", {
          body: { note_id, gate, version, decision, reason, ...defined({ model }) },
        })
      }
      done={`${pair.note} now counts as “${decision}” for ${pair.gate}`}
      onClose={onClose}
    >
      <p className="soft">
        The reviewer said “{pair.accepted?.decision}”. Your verdict is kept with your name in
        signoff.rulings, and counts until the note or the gate changes.
      </p>
      <label className="field">
        <span>New verdict</span>
        <select
          value={decision}
          onChange={({ target }) =>
            setDecision(verdicts.find((one) => one === target.value) ?? decision)
          }
        >
          {others.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
    </DecisionDialog>
  );
}

function PairReview({ pair }: { readonly pair: Pair }) {
  const { review } = pair;
  const [dismissing, setDismissing] = useState<Finding>();
  if (review === null) return <p className="soft">Nobody has reviewed this pair yet.</p>;
  return (
    <aside className="stack" aria-label="Review">
      <div className="row">
        <strong>Review: {review.decision}</strong>
        <Time at={review.at} />
        {!review.is_current && <span className="badge wait">of an earlier version</span>}
      </div>
      {review.summary !== null && <p className="quote">{review.summary}</p>}
      <ul className="stack">
        {review.findings.map((finding) => (
          <li key={finding.fingerprint} className="stack tight issue">
            <p>
              <span className={`badge ${finding.severity === "warn" ? "wait" : "bad"}`}>
                {finding.severity}
              </span>{" "}
              {finding.message}
              {finding.line !== null && <span className="soft"> line {finding.line}</span>}
            </p>
            {finding.quote !== null && <p className="quote">{finding.quote}</p>}
            {finding.dismissed !== null ? (
              <p className="soft">Dismissed: {finding.dismissed}</p>
            ) : (
              <May do="decide">
                <div>
                  <button type="button" className="button" onClick={() => setDismissing(finding)}>
                    Dismiss
                  </button>
                </div>
              </May>
            )}
          </li>
        ))}
      </ul>
      {review.suggested_revision !== null && (
        <details>
          <summary>Suggested revision</summary>
          <p className="text small">{review.suggested_revision}</p>
        </details>
      )}
      <details>
        <summary>What the reviewer wrote</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="raw" aria-label="Raw review" tabIndex={0}>
          <pre>{review.raw}</pre>
        </section>
      </details>
      {dismissing !== undefined && (
        <DismissDialog finding={dismissing} onClose={() => setDismissing(undefined)} />
      )}
    </aside>
  );
}
