import { useQuery } from "@tanstack/react-query";
import { rulingsOf } from "../../api/queries.ts";
import { Time } from "../../design/time.tsx";

const acts = {
  approve: "approved it",
  request_changes: "requested changes",
  edit: "replaced the text",
} as const;

/** What people decided about a draft, in order. */
export function Rulings({ run }: { readonly run: string }) {
  const rulings = useQuery(rulingsOf(run)).data?.rulings ?? [];
  if (rulings.length === 0) return null;
  return (
    <section className="card">
      <header>
        <h2>Decisions</h2>
      </header>
      <ul className="list">
        {rulings.map((ruling) => (
          <li key={ruling.number} className="inside stack tight">
            <p>
              <strong>{ruling.by}</strong> {acts[ruling.act]} <Time at={ruling.at} />
            </p>
            {ruling.reason !== null && <p className="quote">{ruling.reason}</p>}
            {ruling.text !== null && <p className="text small">{ruling.text}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
