import { AdaptiveLimit } from "../adapters/engines/adaptive-limit.ts";
import type { Assistant } from "../ports/assistant.ts";

/** An assistant that never has more than so many requests to answer, however many scenarios are being played. */
export function boundedAssistants(most: number): (assistant: Assistant) => Assistant {
  const limit = new AdaptiveLimit(most);
  const inLine = async <T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> => {
    await limit.enter(signal);
    try {
      return await request();
    } finally {
      limit.leave();
    }
  };
  return (assistant) => ({
    ...assistant,
    send: (message, signal) => inLine(signal, () => assistant.send(message, signal)),
    readSession: (sessionId, signal) =>
      inLine(signal, () => assistant.readSession(sessionId, signal)),
  });
}
