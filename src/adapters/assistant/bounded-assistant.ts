import type { Assistant } from "../../ports/assistant.ts";

/** Places for requests in flight: `leave` must be called exactly once after `enter` resolves. */
interface Places {
  enter(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** Limits the number of requests in flight, however many scenarios are running. */
export function boundedAssistants(places: Places): (assistant: Assistant) => Assistant {
  const inLine = async <T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> => {
    await places.enter(signal);
    try {
      return await request();
    } finally {
      places.leave();
    }
  };
  return (assistant) => ({
    ...assistant,
    send: (message, signal) => inLine(signal, () => assistant.send(message, signal)),
    readSession: (sessionId, signal) =>
      inLine(signal, () => assistant.readSession(sessionId, signal)),
  });
}
