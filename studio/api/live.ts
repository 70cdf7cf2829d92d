import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sessionInfo, waiting } from "./queries.ts";
import { refreshRuns } from "./refresh-runs.ts";

export type Connection = "live" | "connecting" | "lost";

const gatherMillis = 250;
const againMillis = 2_000;

/** Lists that the end of a run, or its question, may change; those of runs are refreshed by themselves. */
const lists = ["inbox", "home", "episodes", "packs", "stages"];
/** Sums over all runs of two weeks are expensive: one request covers all runs that end meanwhile. */
const sumsMillis = 30_000;
const begun: readonly unknown[] = ["queued", "running"];
const over: readonly unknown[] = [
  ...["waiting", "finished", "stopped", "failed", "cancelled", "interrupted"],
];

/**
 * Keeps what is shown as fresh as the server says. A hidden page lets its stream go: browsers allow few
 * connections to one server, and all tabs share them.
 */
export function useLiveUpdates(client: QueryClient): Connection {
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const changed = new Set<string>();
    const moved = new Map<string, unknown>();
    /** The server's own events and its look at the store both report a change. */
    const states = new Map<string, unknown>();
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let summing: ReturnType<typeof setTimeout> | undefined;
    const sumUp = (): void => {
      summing = undefined;
      void client.invalidateQueries({ queryKey: ["costs"] });
    };
    const refresh = (): void => {
      gathering = undefined;
      for (const run of changed) void client.invalidateQueries({ queryKey: ["run", run] });
      if (moved.size > 0) refreshLists(client, moved);
      if (hasEnded(moved)) summing ??= setTimeout(sumUp, sumsMillis);
      changed.clear();
      moved.clear();
    };
    let isFirst = true;
    const stop = streamWhileVisible(
      "/api/v1/events",
      {
        // What is on the screen was read a moment before the first connection.
        reset: () => {
          if (!isFirst) void client.invalidateQueries();
          isFirst = false;
        },
        run: ({ run_id, what }) => {
          const run = String(run_id);
          changed.add(run);
          if (states.get(run) !== what && (begun.includes(what) || over.includes(what))) {
            states.set(run, what);
            moved.set(run, what);
          }
          gathering ??= setTimeout(refresh, gatherMillis);
        },
        waiting: ({ count }) => client.setQueryData(waiting.queryKey, Number(count)),
        attention: () => void client.invalidateQueries({ queryKey: ["attention"] }),
      },
      (now, isRefused) => {
        setConnection(now);
        // Any other request finds out why: a session that has ended leads to the sign-in page.
        if (isRefused)
          void client.fetchQuery({ ...sessionInfo, staleTime: 0 }).catch(() => undefined);
      },
    );
    return () => {
      stop();
      clearTimeout(gathering);
      clearTimeout(summing);
    };
  }, [client]);
  return connection;
}

/** A run that begins is a line in the lists of runs and on Home; nothing else can have changed yet. */
function refreshLists(client: QueryClient, moved: ReadonlyMap<string, unknown>): void {
  refreshRuns(client, new Set(moved.keys()));
  if (hasEnded(moved)) {
    for (const name of lists) void client.invalidateQueries({ queryKey: [name] });
  } else {
    const refetchType = window.location.pathname === "/" ? "active" : "none";
    void client.invalidateQueries({ queryKey: ["home"], refetchType });
  }
}

function hasEnded(moved: ReadonlyMap<string, unknown>): boolean {
  return [...moved.values()].some((state) => over.includes(state));
}

export interface LiveText {
  readonly key: string;
  readonly role: string;
  readonly text: string;
}

/** What models are saying, call by call; a page that comes later gets the beginning too. */
export function useLiveTexts(run: string, isMoving: boolean): readonly LiveText[] {
  const [said, setSaid] = useState<readonly LiveText[]>([]);
  useEffect(() => {
    if (!isMoving) return setSaid([]);
    return streamWhileVisible(`/api/v1/runs/${run}/events`, {
      call: ({ key, role }) =>
        setSaid((before) => [
          ...before.filter((one) => one.key !== key),
          { key: String(key), role: String(role), text: "" },
        ]),
      text: ({ key, role, part }) =>
        setSaid((before) => {
          const known = before.find((one) => one.key === key);
          const text = (known?.text ?? "") + String(part);
          const grown = { key: String(key), role: String(role), text };
          return known === undefined
            ? [...before, grown]
            : before.map((one) => (one === known ? grown : one));
        }),
    });
  }, [run, isMoving]);
  return said;
}

type Listeners = { readonly [event: string]: (data: Readonly<Record<string, unknown>>) => void };

function streamWhileVisible(
  path: string,
  listeners: Listeners,
  tell: (connection: Connection, isRefused: boolean) => void = () => undefined,
): () => void {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    clearTimeout(again);
    source?.close();
    source = undefined;
  };
  const open = (): void => {
    close();
    const opened = new EventSource(path);
    source = opened;
    opened.onopen = () => tell("live", false);
    opened.onerror = () => {
      const isRefused = opened.readyState === EventSource.CLOSED;
      tell("lost", isRefused);
      if (isRefused) again = setTimeout(open, againMillis);
    };
    for (const [event, listener] of Object.entries(listeners)) {
      opened.addEventListener(event, ({ data }) => listener(JSON.parse(data)));
    }
    opened.addEventListener("end", close);
  };
  const look = (): void => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    close();
  };
}
