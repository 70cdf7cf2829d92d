import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type InboxItem, inbox } from "../../api/queries.ts";
import { useMay } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { plural } from "../../design/amounts.ts";
import { AtWork } from "../../design/at-work.tsx";
import { KeyHint } from "../../design/key-hint.tsx";
import { May } from "../../design/may.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { placeOfItem } from "../../design/run-place.ts";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { BatchApprove, canBatch } from "./batch-approve.tsx";
import styles from "./inbox.module.css";
import { ItemDetail } from "./item-detail.tsx";
import { attentionOf, kindOfItem } from "./item-words.ts";
import { useChosenItem } from "./use-chosen-item.ts";

/** Everything that needs a person, oldest first. */
export function InboxPage() {
  const { data, error, isPending, refetch } = useQuery(inbox);
  const chosen = useChosenItem(data?.items ?? []);
  const { items, item, isGone, move } = chosen;
  const { ticked, toggle, clear } = useTicked(items);
  const navigate = useNavigate();
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: item === undefined ? undefined : () => toggle(item),
    Enter: item === undefined ? undefined : () => void navigate(placeOfItem(item)),
  });
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Inbox</PageTitle>
          <KeyHint>
            <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>Enter</kbd> to open, <kbd>x</kbd> to select,{" "}
            <kbd>?</kbd> for all shortcuts
          </KeyHint>
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
      {(item !== undefined || items.length > 0) && (
        <div className={styles.split}>
          {items.length > 0 && (
            <div className="stack">
              {items.some(canBatch) && (
                <May do="decide" what="select drafts and approve them together">
                  <BatchApprove
                    items={ticked}
                    onDone={(ids) => {
                      chosen.leave(ids);
                      clear();
                    }}
                  />
                </May>
              )}
              <ItemList
                {...{ items, ticked }}
                chosen={item}
                onChoose={chosen.open}
                onToggle={toggle}
              />
            </div>
          )}
          <div className="stack">
            {isGone && (
              <p role="alert" className="notice wait">
                This was decided in the meantime, by someone else or in another window.
              </p>
            )}
            {item === undefined ? (
              <section className="card">
                <Empty title="This item is not in the inbox">
                  <p>It has been decided, or it no longer needs a person.</p>
                </Empty>
              </section>
            ) : (
              <ItemDetail key={item.id} item={item} onDecided={() => chosen.leave([item.id])} />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** What was selected and is still there. */
function useTicked(items: readonly InboxItem[]) {
  const mayDecide = useMay("decide");
  const [ids, setIds] = useState<readonly string[]>([]);
  const toggle = (item: InboxItem): void => {
    if (!mayDecide || !canBatch(item)) return;
    setIds(ids.includes(item.id) ? ids.filter((id) => id !== item.id) : [...ids, item.id]);
  };
  const ticked = items.filter(({ id }) => ids.includes(id));
  return { ticked, toggle, clear: () => setIds([]) };
}

function ItemList(props: {
  readonly items: readonly InboxItem[];
  readonly chosen: InboxItem | undefined;
  readonly ticked: readonly InboxItem[];
  readonly onChoose: (item: InboxItem) => void;
  readonly onToggle: (item: InboxItem) => void;
}) {
  const mayDecide = useMay("decide");
  return (
    <nav className="card" aria-label="Items">
      <ul className="list">
        {props.items.map((item) => (
          <li key={item.id} className={styles.line}>
            {mayDecide && canBatch(item) && (
              <input
                type="checkbox"
                aria-label={`Select ${item.text}`}
                checked={props.ticked.includes(item)}
                onChange={() => props.onToggle(item)}
              />
            )}
            <button
              type="button"
              className={styles.item}
              aria-current={item.id === props.chosen?.id ? "true" : undefined}
              onClick={() => props.onChoose(item)}
            >
              <span className={styles.title}>{item.text}</span>
              <span className="row soft">
                {kindOfItem(item)}
                <Time at={item.since} />
                <AtWork item={attentionOf(item)} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
