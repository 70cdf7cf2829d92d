import type { Json } from "../domain/values/json.ts";

export interface EventStream {
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  send(event: string, data: Json, id?: string): void;
}

const heartbeatMillis = 15_000;
const reconnectMillis = 1_000;
/** A client that does not read is disconnected once this many bytes are waiting. */
const mostWaiting = 4 * 1024 * 1024;

/** Server-sent events for as long as `work` sends some. */
export function openEventStream(
  client: AbortSignal,
  work: (stream: EventStream) => Promise<void>,
): Response {
  const over = new AbortController();
  const signal = AbortSignal.any([client, over.signal]);
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => {
          if (signal.aborted) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < -mostWaiting) over.abort();
        };
        const send: EventStream["send"] = (event, data, id) => {
          const named = id === undefined ? "" : `id: ${id}\n`;
          write(`${named}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        };
        write(`retry: ${reconnectMillis}\n\n`);
        heartbeat = setInterval(() => write(": still here\n\n"), heartbeatMillis);
        signal.addEventListener("abort", () => finish(controller, heartbeat), { once: true });
        void work({ signal, send })
          .catch(() => undefined)
          .finally(() => over.abort());
      },
      cancel() {
        over.abort();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

function finish(
  controller: ReadableStreamDefaultController,
  heartbeat: NodeJS.Timeout | undefined,
): void {
  clearInterval(heartbeat);
  try {
    controller.close();
  } catch {
    // The client closed it first.
  }
}
