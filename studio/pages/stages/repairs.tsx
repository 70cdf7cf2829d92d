import { plural } from "../../design/amounts.ts";
import { Facts } from "../../design/facts.tsx";
import { More } from "../../design/more.tsx";
import { Time } from "../../design/time.tsx";
import type { Repair, Validation } from "./stage-queries.ts";

/** Each repair with what its coder did, what changed, and the runs that were held against it. */
export function Repairs({ repairs }: { readonly repairs: readonly Repair[] }) {
  if (repairs.length === 0) return null;
  return (
    <section className="card" aria-label="Repairs">
      <header>
        <h2>Repairs</h2>
        <span className="soft">{plural(repairs.length, "repair")}</span>
      </header>
      <ul className="list">
        {[...repairs].reverse().map((repair) => (
          <li key={repair.iteration_id} className="inside stack">
            <div className="row">
              <h3>{repair.iteration_id}</h3>
              <RepairBadge repair={repair} />
              <Time at={repair.prepared_at} />
            </div>
            <Execution repair={repair} />
            <Questions questions={repair.questions} />
            <Validations validations={repair.validations} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RepairBadge({ repair }: { readonly repair: Repair }) {
  const { execution, is_proven } = repair;
  if (execution === null || execution.dry_run) return <span className="badge">prepared</span>;
  const status = execution.coder_status.replaceAll("_", " ");
  if (is_proven) return <span className="badge good">{status} and proven</span>;
  return execution.tampered === null ? (
    <span className="badge wait">{status}, not proven yet</span>
  ) : (
    <span className="badge bad">{status}, tampered with its evidence</span>
  );
}

function Execution({ repair: { execution } }: { readonly repair: Repair }) {
  if (execution === null) return <p className="soft">No coder has been started yet.</p>;
  const facts = [
    ["command", execution.command.join(" ")],
    ["coder's summary", execution.summary],
    ["asks", execution.decision_needed ?? ""],
    ["claims", execution.claimed_files.join(", ")],
    ["actually changed", execution.changed_files.join(", ") || "nothing"],
    ["tampered with", execution.tampered?.join(", ") ?? ""],
    ["code", execution.code?.diff_stat ?? ""],
  ] as const;
  return <Facts of={facts.filter(([, text]) => text !== "")} />;
}

function Questions({ questions }: { readonly questions: readonly string[] }) {
  return (
    <More summary={`${plural(questions.length, "question")} that must be asked to prove it`}>
      <ul className="stack tight">
        {questions.map((question) => (
          <li key={question}>{question}</li>
        ))}
      </ul>
    </More>
  );
}

const verdicts = {
  accepted: ["good", "proves it"],
  not_accepted: ["bad", "does not prove it"],
  scope_mismatch: ["wait", "did not ask its questions"],
  too_old: ["wait", "began before the repair ended"],
  undated: ["wait", "has no date"],
} as const;

function Validations({ validations }: { readonly validations: readonly Validation[] }) {
  if (validations.length === 0) return <p className="soft">No validation run yet.</p>;
  return (
    <ul className="stack tight" aria-label="Validations">
      {validations.map((validation, at) => {
        const [tone, text] = verdicts[validation.status];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same run may be held against it twice, in this order
          <li key={at} className="row">
            <span className={`badge ${tone}`}>{text}</span>
            <span className="mono">{validation.run_id}</span>
            <span className="soft">
              {validation.by === "replay" ? "replay" : "ingested run"}; {validation.remaining_p0}{" "}
              P0, {validation.remaining_p1} P1 left
              {validation.missing_questions.length > 0 &&
                `; not asked: ${validation.missing_questions.join(" · ")}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
