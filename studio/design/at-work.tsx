import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { attention } from "../api/queries.ts";
import { useMay, useRole } from "../api/role.ts";

const repeatMillis = 30_000;

/** Shows other people that this person has the item open, while they could decide it. */
function useAttention(item: string): void {
  const isShared = useRole() !== undefined;
  const isAble = useMay("decide");
  useEffect(() => {
    if (!isShared || !isAble) return;
    const attend = (): void => {
      if (!document.hidden) send({ item });
    };
    const leave = (): void => send({ item, is_over: true });
    attend();
    const again = setInterval(attend, repeatMillis);
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(again);
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [item, isShared, isAble]);
}

/** Sent even when the page is being closed; a lost one does not matter, because attention ends by itself. */
function send(body: { readonly item: string; readonly is_over?: boolean }): void {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body), keepalive: true };
  void fetch("/api/v1/attention", request).catch(() => undefined);
}

/** Who else has the item open. */
export function AtWork({ item }: { readonly item: string }) {
  const { data } = useQuery({ ...attention, enabled: useRole() !== undefined });
  const names = (data?.attention ?? []).filter((one) => one.item === item).map(({ name }) => name);
  if (names.length === 0) return null;
  const listed = new Intl.ListFormat("en").format(names);
  return (
    <span className="badge busy">
      {listed} {names.length === 1 ? "has" : "have"} this open
    </span>
  );
}

/** The same for a page, which counts as this person's while it is open. */
export function OpenItem({ item }: { readonly item: string }) {
  useAttention(item);
  return (
    <span role="status">
      <AtWork item={item} />
    </span>
  );
}
