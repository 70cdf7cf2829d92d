import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { defined } from "../../../src/domain/values/defined.ts";
import type { InboxItem } from "../../api/queries.ts";

/**
 * The address names the item, so a reload and Back keep it. What is looked at stays until the person leaves it, even
 * when another person decides it: nothing vanishes under one's hands. After an own decision the next item takes its
 * place.
 */
export function useChosenItem(waiting: readonly InboxItem[]) {
  const { item: named } = useSearch({ from: "/inbox" });
  const navigate = useNavigate({ from: "/inbox" });
  const [held, setHeld] = useState<{ readonly item: InboxItem; readonly at: number }>();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const items = waiting.filter(({ id }) => !decided.includes(id));
  const isNamed = named !== undefined && !decided.includes(named);
  const at = isNamed
    ? items.findIndex(({ id }) => id === named)
    : Math.min(held?.at ?? 0, items.length - 1);
  const found = items[at];
  if (found !== undefined && (found !== held?.item || at !== held.at)) setHeld({ item: found, at });
  const isGone = isNamed && found === undefined && held?.item.id === named;
  const unnamed = isNamed ? undefined : found?.id;
  useEffect(() => {
    if (unnamed !== undefined) void navigate({ search: { item: unnamed }, replace: true });
  }, [unnamed, navigate]);
  const choose = (next: (before?: string) => InboxItem | undefined, replace: boolean): void =>
    void navigate({
      search: (before) => defined({ item: next(before.item)?.id }),
      ...{ replace, resetScroll: false },
    });
  const next = (by: 1 | -1, before?: string): InboxItem | undefined => {
    const from = before === named ? at : items.findIndex(({ id }) => id === before);
    return items[Math.max(0, Math.min(from + by, items.length - 1))];
  };
  return {
    ...{ items, isGone },
    item: isGone ? held?.item : found,
    open: (item: InboxItem) => choose(() => item, item.id === named),
    /** From the address and not from what is shown: two keys may be pressed before the page follows. */
    move: (by: 1 | -1) => choose((before) => next(by, before), true),
    leave: (done: readonly string[]) => setDecided((before) => [...before, ...done]),
  };
}
