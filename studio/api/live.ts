import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

export type Connection = "live" | "connecting" | "lost";

const gatherMillis = 250;
const againMillis = 2_000;

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
      for (const name of ["runs", "inbox", "costs", "episodes", "packs", "stages"]) {
        void client.invalidateQueries({ queryKey: [name] });
      }
    };
    const stop = streamWhileVisible(
      "/api/v1/events",
      {
        reset: () => void client.invalidateQueries(),
        run: (data) => {
          changed.add(String(data.run_id));
          gathering ??= setTimeout(refresh, gatherMillis);
        },
      },
      setConnection,
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

/** What a model is saying right now; empty between two calls. */
export function useLiveText(run: string, isMoving: boolean): LiveText | undefined {
  const [said, setSaid] = useState<LiveText>();
  useEffect(() => {
    if (!isMoving) return setSaid(undefined);
    return streamWhileVisible(`/api/v1/runs/${run}/events`, {
      text: ({ key, role, part }) =>
        setSaid((before) => ({
          key: String(key),
          role: String(role),
          text: (before?.key === key ? (before?.text ?? "") : "") + String(part),
        })),
      event: () => setSaid(undefined),
    });
  }, [run, isMoving]);
  return said;
}

type Listeners = { readonly [event: string]: (data: Readonly<Record<string, unknown>>) => void };

function streamWhileVisible(
  path: string,
  listeners: Listeners,
  tell: (connection: Connection) => void = () => undefined,
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
    opened.onopen = () => tell("live");
    opened.onerror = () => {
      tell("lost");
      if (opened.readyState === EventSource.CLOSED) again = setTimeout(open, againMillis);
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
