import { characters, count } from "../../design/amounts.ts";
import { Differences } from "../../design/differences.tsx";
import { MarkedText } from "../../design/marked-text.tsx";
import { May } from "../../design/may.tsx";
import { fileNameOf, TakeText } from "../../design/take-text.tsx";
import { Time } from "../../design/time.tsx";
import type { Sides } from "./asset-page.tsx";
import type { AssetDetail, Candidate } from "./episode-queries.ts";
import styles from "./episodes.module.css";

interface Shown {
  readonly detail: AssetDetail;
  readonly isDiff: boolean;
  readonly onChoose: (sides: Sides) => void;
  readonly onPick: (candidate: Candidate) => void;
  readonly onEdit: (candidate: Candidate) => void;
}

/** Two candidates beside each other; the right one as its differences from the left if wished. */
export function CandidatePair(
  props: Shown & { readonly left: Candidate; readonly right: Candidate | undefined },
) {
  const { left, right, isDiff, onChoose } = props;
  return (
    <section className="stack tight" aria-label="Candidates">
      {right !== undefined && (
        <label className="row">
          <input
            type="checkbox"
            checked={isDiff}
            onChange={({ target }) => onChoose({ diff: target.checked })}
          />
          Show differences on the right <kbd>d</kbd>
        </label>
      )}
      <div className={right === undefined ? "stack" : styles.candidates}>
        <CandidateCard {...props} side="left" candidate={left} against={undefined} />
        {right !== undefined && (
          <CandidateCard
            {...props}
            side="right"
            candidate={right}
            against={isDiff ? left : undefined}
          />
        )}
      </div>
    </section>
  );
}

function CandidateCard(
  props: Shown & {
    readonly side: "left" | "right";
    readonly candidate: Candidate;
    readonly against: Candidate | undefined;
  },
) {
  const { detail, side, candidate, against, onChoose, onPick, onEdit } = props;
  // A file that was edited holds no candidate's text.
  const isSelected =
    detail.state !== "edited" && detail.selection?.candidate_id === candidate.candidate_id;
  return (
    <article className={`card ${isSelected ? styles.selected : ""}`}>
      <header>
        <label>
          <span className="visually-hidden">Candidate on the {side}</span>
          <select
            className="select"
            value={candidate.candidate_id}
            onChange={({ target }) => onChoose({ [side]: target.value })}
          >
            {detail.candidates.map((one, at) => (
              <option key={one.candidate_id} value={one.candidate_id}>
                {nameOf(one, at)}
              </option>
            ))}
          </select>
        </label>
        <span className="row">
          {isSelected && <span className="badge good">Selected</span>}
          <May do="decide">
            <button type="button" className="button" onClick={() => onEdit(candidate)}>
              Edit {side === "right" && <kbd>e</kbd>}
            </button>
            {!isSelected && (
              <button type="button" className="button" onClick={() => onPick(candidate)}>
                Pick {side === "right" && <kbd>p</kbd>}
              </button>
            )}
          </May>
        </span>
      </header>
      <div className="inside stack tight">
        {against === undefined ? (
          <MarkedText
            text={candidate.content}
            review={detail.reviews.find(({ iteration }) => iteration === candidate.iteration)}
            testId="candidate-text"
            isSmall
          />
        ) : (
          <Differences before={against.content} after={candidate.content} isSmall />
        )}
        <p className="row soft">
          <span>{count(characters(candidate.content))} characters</span>
          {candidate.model !== null && <span>{candidate.model}</span>}
          <Time at={candidate.created_at} />
        </p>
        <TakeText text={candidate.content} name={fileNameOf(detail.asset_id, "md")} />
      </div>
    </article>
  );
}

function nameOf(candidate: Candidate, at: number): string {
  const turn = candidate.iteration === null ? "draft" : `turn ${candidate.iteration}`;
  return `Candidate ${at + 1}, ${turn}`;
}
