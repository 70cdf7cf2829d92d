import { useQuery } from "@tanstack/react-query";
import { defined } from "../../../src/domain/values/defined.ts";
import { ask } from "../../api/client.ts";
import { count, money, plural } from "../../design/amounts.ts";
import { Dialog } from "../../design/dialog.tsx";
import { May } from "../../design/may.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import type { FilteredMatrix } from "./matrix-source.ts";
import type { Plan } from "./note-queries.ts";
import styles from "./notes.module.css";
import type { NotesSearch } from "./notes-page.tsx";
import { type ReviewScope, useReview } from "./use-review.ts";

/** What a review of the shown notes would ask and cost, before anything is asked. */
export function PlanDialog(props: {
  readonly search: NotesSearch;
  readonly matrix: FilteredMatrix;
  readonly onClose: () => void;
}) {
  const { search, matrix, onClose } = props;
  const scope = scopeOf(search, matrix);
  const plan = useQuery({
    queryKey: ["notes", "plan", search.folder, search.gate, search.reason, search.model],
    queryFn: () => ask("POST /api/v1/notes/plan", { body: scope }),
    staleTime: 0,
    gcTime: 0,
  });
  const review = useReview(scope, onClose);
  const isEmpty = plan.data !== undefined && workIn(plan.data) === 0;
  return (
    <Dialog title="Review what is stale" onClose={onClose}>
      {plan.error !== null && <Failure error={plan.error} />}
      {plan.isPending && <Loading />}
      {plan.data !== undefined && <PlanFacts plan={plan.data} />}
      {review.error !== null && (
        <Failure error={review.error} onRetry={() => void plan.refetch()} />
      )}
      <div className="row end">
        <button type="button" className="button quiet" onClick={onClose}>
          Not now
        </button>
        <May do="run">
          <button
            type="button"
            className="button primary"
            disabled={plan.data === undefined || isEmpty || review.isPending}
            onClick={() => review.mutate(plan.data?.version)}
          >
            Start the review
          </button>
        </May>
      </div>
    </Dialog>
  );
}

function PlanFacts({ plan }: { readonly plan: Plan }) {
  const { cost, rule_pairs, acknowledged, left_undecided, too_large } = plan;
  if (workIn(plan) === 0) return <p>Nothing that is shown is stale.</p>;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["Calls", `${count(cost.calls)} for ${plural(cost.pairs, "pair")}`],
    ["Tokens in", `${count(cost.input_tokens.low)} to ${count(cost.input_tokens.high)}`],
    ["Tokens out", `${count(cost.output_tokens.low)} to ${count(cost.output_tokens.high)}`],
    ["Cost", costOf(plan)],
    ["By rules, free", plural(rule_pairs, "pair")],
    ["Acknowledged, trivial", plural(acknowledged, "pair")],
    ["Left undecided twice", plural(left_undecided, "pair")],
    ["Too large to ask", plural(too_large.length, "pair")],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An unknown price is never shown as zero. */
function costOf({ cost }: Plan): string {
  const { micro_usd } = cost;
  if (micro_usd == null) return "unknown: the model has no price in the settings";
  return micro_usd.low === micro_usd.high
    ? money(micro_usd.high)
    : `${money(micro_usd.low)} to ${money(micro_usd.high)}`;
}

function workIn({ cost, rule_pairs, acknowledged }: Plan): number {
  return cost.pairs + rule_pairs + acknowledged;
}

function scopeOf(
  { folder, gate, reason, model }: NotesSearch,
  matrix: FilteredMatrix,
): ReviewScope {
  const isAll = folder === undefined && reason === undefined;
  return {
    ...(isAll ? {} : { note_ids: matrix.noteIds }),
    ...(gate === undefined ? {} : { gates: [gate] }),
    ...defined({ model }),
  };
}
