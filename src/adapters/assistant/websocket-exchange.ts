import { WebSocket } from "undici";
import { defined } from "../../domain/values/defined.ts";
import { connectionFailure, type Exchanged, type ExchangeLimits } from "./http-exchange.ts";
import { eventTooDeep, failed, readEvent, type StreamRules } from "./read-reply.ts";

/**
 * One question over a WebSocket connection of its own: the answer is complete with the first message that `isLast`
 * accepts, without it with the first message, or when the assistant closes the connection.
 */
export async function exchangeOverWebSocket(
  asked: {
    readonly url: string;
    readonly headers: { readonly [name: string]: string };
    readonly text: string;
    readonly stream: StreamRules;
  },
  limits: Pick<ExchangeLimits, "timeoutMs" | "maxBytes" | "dispatcher">,
  signal: AbortSignal,
): Promise<Exchanged> {
  signal.throwIfAborted();
  const { url, headers, text, stream } = asked;
  const { isLast = () => true } = stream;
  const socket = new WebSocket(url, {
    headers: { ...headers },
    ...defined({ dispatcher: limits.dispatcher }),
  });
  socket.binaryType = "arraybuffer";
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const gathering = stream.gather();
  let size = 0;
  let wasOpen = false;
  try {
    return await new Promise<Exchanged>((resolve, reject) => {
      const end = (isComplete: boolean) =>
        resolve({
          kind: "received",
          reply: { kind: "events", ...gathering.gathered(), isComplete },
          headers: {},
        });
      const abort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      timeout.addEventListener("abort", () =>
        resolve(failed("timed_out", `no answer within ${limits.timeoutMs} ms`)),
      );
      socket.addEventListener("open", () => {
        wasOpen = true;
        socket.send(text);
      });
      socket.addEventListener("message", ({ data }) => {
        const said = textOf(data);
        if (said === undefined) {
          return resolve(failed("invalid_utf8", "the answer is not valid UTF-8"));
        }
        size += said.length;
        if (size > limits.maxBytes) {
          return resolve(failed("too_large", `the answer is larger than ${limits.maxBytes} bytes`));
        }
        const event = readEvent(said);
        if (event === undefined) return resolve(eventTooDeep);
        gathering.see(event);
        if (isLast(event)) end(true);
      });
      socket.addEventListener("error", ({ error, message }) => {
        if (wasOpen) return resolve(failed("connection_closed", message || "connection lost"));
        const failure = connectionFailure(error);
        resolve(failure);
      });
      socket.addEventListener("close", ({ code, reason }) => {
        if (!wasOpen) return resolve(failed("unreachable", "no WebSocket there", unsent));
        if (gathering.gathered().events > 0 && stream.isLast === undefined) return end(true);
        resolve(failed("connection_closed", `closed with ${code} ${reason}`.trim()));
      });
    });
  } finally {
    socket.close();
  }
}

/** Binary messages hold UTF-8; undefined where they do not. */
function textOf(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data as ArrayBuffer);
  } catch {
    return undefined;
  }
}

const unsent = { accepted: false } as const;
