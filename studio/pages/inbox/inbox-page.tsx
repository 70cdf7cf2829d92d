import { useQuery } from "@tanstack/react-query";
import { linkOptions, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type InboxItem, inbox } from "../../api/queries.ts";
import { useKeys } from "../../app/use-keys.ts";
import { plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { ItemDetail } from "./item-detail.tsx";
import { titleOf } from "./title-of.ts";

/** Everything that needs a person, oldest first. */
export function InboxPage() {
  const { data, error, isPending, refetch } = useQuery(inbox);
  const { items, at, item, isGone, go, leave } = useChosenItem(data?.items ?? []);
  const navigate = useNavigate();
  const open = (one: InboxItem): void => void navigate(placeOf(one));
  useKeys({
    j: () => go(at + 1),
    k: () => go(at - 1),
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Enter: item === undefined ? undefined : () => open(item),
  });
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Inbox</PageTitle>
          <p className="soft hint">
            <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>Enter</kbd> to open, <kbd>?</kbd> for all keys
          </p>
        </div>
        {items.length > 0 && (
          <span className="badge wait">
            {plural(items.length, "item")}
            {data?.next_cursor != null && " and more"}
          </span>
        )}
      </div>
      {isPending && <Loading />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && items.length === 0 && (
        <section className="card">
          <Empty title={item === undefined ? "Nothing needs you" : "Nothing else needs you"}>
            <p>
              Unapproved loops, questions from running work and stages that need a person appear
              here.
            </p>
          </Empty>
        </section>
      )}
      {item !== undefined && (
        <div className="inbox">
          {items.length > 0 && <ItemList items={items} chosen={at} onChoose={go} />}
          <div className="stack">
            {isGone && (
              <p role="alert" className="notice wait">
                This was decided in the meantime, by someone else or in another window.
              </p>
            )}
            <ItemDetail key={item.id} item={item} onDecided={leave} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Where an item is seen with everything around it. */
function placeOf(item: InboxItem) {
  if (item.kind === "stage") {
    return linkOptions({ to: "/stages/$stage", params: { stage: item.id } });
  }
  const { asset, run_id } = item;
  if (asset === null) return linkOptions({ to: "/drafts/$run", params: { run: run_id } });
  const params = { episode: asset.episode, asset: asset.asset_id };
  return linkOptions({ to: "/episodes/$episode/$asset", params });
}

/**
 * What is looked at stays until the person leaves it, even when another person decides it: nothing vanishes under
 * one's hands. After an own decision the next item takes its place.
 */
function useChosenItem(waiting: readonly InboxItem[]) {
  const [held, setHeld] = useState<InboxItem>();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const items = waiting.filter(({ id }) => !decided.includes(id));
  const at = items.findIndex(({ id }) => id === held?.id);
  const first = items[0];
  if (held === undefined && first !== undefined) setHeld(first);
  return {
    items,
    at,
    item: held,
    isGone: held !== undefined && at < 0,
    go: (next: number) => setHeld(items[Math.max(0, Math.min(next, items.length - 1))]),
    leave: () => {
      if (held !== undefined) setDecided((before) => [...before, held.id]);
      setHeld(items[at + 1] ?? items[at - 1]);
    },
  };
}

const kinds = {
  question: "question",
  needs_human: "ended without approval",
  stage: "stage",
} as const;

function ItemList(props: {
  readonly items: readonly InboxItem[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}) {
  return (
    <nav className="card" aria-label="Items">
      <ul className="list">
        {props.items.map((item, at) => (
          <li key={item.id}>
            <button
              type="button"
              className="item"
              aria-current={at === props.chosen ? "true" : undefined}
              onClick={() => props.onChoose(at)}
            >
              <span className="title">{titleOf(item)}</span>
              <span className="row soft">
                {kinds[item.kind]}
                <Time at={item.since} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
