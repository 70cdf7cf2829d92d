import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

export type Connection = "live" | "connecting" | "lost";

const gatherMillis = 250;
const againMillis = 2_000;

/** Lists that any run may change. */
const lists = ["runs", "inbox", "home", "costs", "episodes", "packs", "stages"];

/**
 * Keeps what is shown as fresh as the server says. A hidden page lets its stream go: browsers allow few
 * connections to one server, and all tabs share them.
 */
export function useLiveUpdates(client: QueryClient): Connection {
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const changed = new Set<string>();
    let gathering: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      gathering = undefined;
      for (const run of changed) void client.invalidateQueries({ queryKey: ["run", run] });
      changed.clear();
      for (const name of lists) void client.invalidateQueries({ queryKey: [name] });
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
        run: (data) => {
          changed.add(String(data.run_id));
          gathering ??= setTimeout(refresh, gatherMillis);
        },
        attention: () => void client.invalidateQueries({ queryKey: ["attention"] }),
      },
      (now, isRefused) => {
        setConnection(now);
        // Any other request finds out why: a session that has ended leads to the sign-in page.
        if (isRefused) void client.invalidateQueries({ queryKey: ["home"] });
      },
    );
    return () => {
      stop();
      clearTimeout(gathering);
    };
  }, [client]);
  return connection;
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
