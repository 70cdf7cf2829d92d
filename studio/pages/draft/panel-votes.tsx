import type { Iteration, Session } from "../../api/queries.ts";

const answers = [
  ["approved", "good", "approved"],
  ["objected", "bad", "objected"],
  ["called_person", "wait", "called for a person"],
  ["absent", "", "absent"],
] as const;

const rules = {
  all: "everyone must approve",
  majority: "more than half must approve",
  any: "one must approve, and no one may state an error",
} as const;

/** Who approved, objected, called for a person or was absent in a turn, in which words, and by which rule. */
export function PanelVotes(props: { readonly chosen: Iteration; readonly session: Session }) {
  const { chosen, session } = props;
  const { vote, panel } = chosen;
  if (vote === null) return null;
  const members = answers.flatMap(([answer, tone, text]) =>
    vote[answer].map((name) => ({ name, tone, text })),
  );
  return (
    <section className="card" aria-label="Panel">
      <header>
        <h2>Panel</h2>
        <span className="soft">
          {vote.rule}: {rules[vote.rule]}
        </span>
      </header>
      <ul className="list">
        {members.map(({ name, tone, text }) => (
          <li key={name} className="inside stack tight">
            <div className="row">
              <strong>{name}</strong>
              <span className={`badge ${tone}`}>{text}</span>
              <span className="soft">
                {session.reviewers.find(({ label }) => label === name)?.model}
              </span>
            </div>
            <Words review={panel.find(({ reviewer }) => reviewer === name)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Words({ review }: { readonly review: Iteration["panel"][number] | undefined }) {
  if (review === undefined) return null;
  const said = [review.summary, ...review.issues.map(({ message }) => message)];
  const words = [...new Set(said.filter((one) => one !== null && one !== ""))];
  return words.map((text) => (
    <p key={text} className="quote">
      {text}
    </p>
  ));
}
