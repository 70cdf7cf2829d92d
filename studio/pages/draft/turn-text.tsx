import type { Iteration } from "../../api/queries.ts";
import { characters, count, plural } from "../../design/amounts.ts";
import { Differences } from "../../design/differences.tsx";
import { MarkedText } from "../../design/marked-text.tsx";
import { fileNameOf, TakeText } from "../../design/take-text.tsx";
import { Verdict } from "./timeline.tsx";

/** The text of a turn with the words that were objected to, or its differences from any other turn. */
export function TurnText(props: {
  readonly chosen: Iteration;
  readonly all: readonly Iteration[];
  readonly against: Iteration | undefined;
  /** What the text is about; a file that is saved is named after it. */
  readonly title: string;
  readonly onCompare: (turn: number | undefined) => void;
}) {
  const { chosen, all, against, onCompare } = props;
  const { content } = chosen.candidate;
  return (
    <section className="card" aria-label={`Turn ${chosen.iteration}`}>
      <header>
        <div className="row">
          <h2>Turn {chosen.iteration}</h2>
          <Verdict verdict={chosen.review.verdict} />
        </div>
        <label className="row">
          <span className="soft">Compare with</span>
          <select
            className="select"
            value={against?.iteration ?? ""}
            onChange={({ target }) =>
              onCompare(target.value === "" ? undefined : Number(target.value))
            }
          >
            <option value="">nothing</option>
            {all
              .filter((one) => one !== chosen)
              .map(({ iteration }) => (
                <option key={iteration} value={iteration}>
                  turn {iteration}
                </option>
              ))}
          </select>
        </label>
      </header>
      <div className="inside stack">
        {against === undefined ? (
          <MarkedText text={content} review={chosen.review} testId="turn-text" />
        ) : (
          <Differences before={against.candidate.content} after={content} />
        )}
        <div className="row">
          <span className="soft">{count(characters(content))} characters</span>
          <TakeText text={content} name={fileNameOf(`${props.title} turn ${chosen.iteration}`)} />
        </div>
      </div>
      <Losers chosen={chosen} />
    </section>
  );
}

function Losers({ chosen }: { readonly chosen: Iteration }) {
  if (chosen.losers.length === 0) return null;
  return (
    <details className="inside">
      <summary>{plural(chosen.losers.length, "other draft")} of this turn</summary>
      <ul className="stack">
        {chosen.losers.map(({ candidate, review }) => (
          <li key={candidate.candidate_id} className="stack tight">
            <p className="text small">{candidate.content}</p>
            <p className="soft">
              {review.issues.map(({ message }) => message).join(" ") || review.summary}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
