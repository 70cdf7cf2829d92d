import type { Iteration, LedgerEntry } from "../../api/queries.ts";
import styles from "./draft.module.css";

/** What was objected to and what became of it, as it stood after the chosen turn. */
export function IssueList({
  chosen,
  all,
}: {
  readonly chosen: Iteration;
  readonly all: readonly Iteration[];
}) {
  const entries = ledgerUpTo(all, chosen.iteration);
  const checks = entries.filter(
    ({ issue, status }) => issue.reviewer === "checks" && status === "open",
  );
  const raised = entries.filter(({ issue }) => issue.reviewer !== "checks");
  const { summary, score } = chosen.review;
  return (
    <aside className="stack" aria-label="Issues and checks">
      <section className="card">
        <header>
          <h2>Issues</h2>
          <span className="soft">
            {raised.filter(({ status }) => status === "open").length} open
          </span>
        </header>
        {raised.length === 0 && <p className="inside soft">No issues raised.</p>}
        <ul className="list">
          {raised.map((entry) => (
            <Issue key={entry.issue.issue_id} entry={entry} />
          ))}
        </ul>
      </section>
      <section className="card">
        <header>
          <h2>Checks</h2>
          <span className={`badge ${checks.length === 0 ? "good" : "bad"}`}>
            {checks.length === 0 ? "all passed" : `${checks.length} failed`}
          </span>
        </header>
        {checks.length > 0 && (
          <ul className="list">
            {checks.map((entry) => (
              <Issue key={entry.issue.issue_id} entry={entry} />
            ))}
          </ul>
        )}
      </section>
      {chosen.vote === null && (summary !== null || score !== null) && (
        <section className="card">
          <header>
            <h2>The reviewer</h2>
            {score !== null && <span className="badge">score {score}</span>}
          </header>
          {summary !== null && <p className="inside quote">{summary}</p>}
        </section>
      )}
    </aside>
  );
}

function Issue({ entry }: { readonly entry: LedgerEntry }) {
  const { issue, answer, status } = entry;
  const isError = issue.severity === "error";
  return (
    <li className={`inside stack tight issue ${status === "closed" ? styles.closed : ""}`}>
      <div className="row">
        <span className={`badge ${isError ? "bad" : "wait"}`}>{issue.severity}</span>
        <span className={`badge ${status === "open" ? "" : "good"}`}>{standing(entry)}</span>
        {issue.late && <span className="badge wait">late</span>}
        <span className="soft">
          {issue.reviewer}, turn {entry.raised_in}
        </span>
      </div>
      <p>{issue.message}</p>
      {issue.quote !== null && <p className="quote">{issue.quote}</p>}
      {answer?.reason != null && <p className="soft">The writer: {answer.reason}</p>}
    </li>
  );
}

function standing({ status, answer, overruled_in, closed_in }: LedgerEntry): string {
  if (status === "closed") return `closed in turn ${closed_in ?? "?"}`;
  if (overruled_in !== null) return "outvoted";
  if (answer === null) return "open";
  return answer.answer === "deferred" ? "open, deferred" : `open, ${answer.answer}`;
}

/** Each turn's ledger has what is open and what it closed; the latest word about an issue counts. */
function ledgerUpTo(all: readonly Iteration[], turn: number): readonly LedgerEntry[] {
  const latest = new Map<string, LedgerEntry>();
  for (const { iteration, ledger } of all) {
    if (iteration > turn) break;
    for (const entry of ledger) latest.set(entry.issue.issue_id, entry);
  }
  return [...latest.values()].sort(
    (a, b) =>
      Number(a.status === "closed") - Number(b.status === "closed") || b.raised_in - a.raised_in,
  );
}
