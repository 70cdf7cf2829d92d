import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defined } from "../../../domain/values/defined.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Runner } from "../../../ports/runner.ts";
import { askWithRoom, hostedCall } from "./hosted-call.ts";
import { providerFailure } from "./provider-failure.ts";
import { streamAnswer } from "./stream-answer.ts";

/** Asks a model of the AI SDK that the caller has set up: its keys, addresses and options are its own. */
export function createLanguageModelRunner(
  model: LanguageModelV4,
  clock: Pick<Clock, "now">,
): Runner {
  const { provider, modelId } = model;
  const thinking = new Set<string>();
  const hints = {
    unreachable: "Check the address that the model was created with.",
    unauthorized: "Check the key that the model was created with.",
  };
  return {
    async attempt(request, signal, onText) {
      signal.throwIfAborted();
      const startedAt = clock.now();
      try {
        const call = { request, modelId, signal, ...defined({ onText }) };
        const { text, finish, tokens, ...answer } = await askWithRoom(call, { thinking }, (room) =>
          streamAnswer(model, hostedCall({ ...call, ...room }), room.onText),
        );
        signal.throwIfAborted();
        const times = { startedAt, finishedAt: clock.now() };
        const name = `${provider}/${answer.modelId ?? modelId}`;
        const reply = { text, finish, model: name, ...defined({ usage: tokens }), ...times };
        return { kind: "replied", reply };
      } catch (thrown) {
        signal.throwIfAborted();
        const who = `${provider} (${modelId})`;
        const asked = { who, provider, model: request.model, secrets: [], hints, now: clock.now() };
        throw providerFailure(thrown, asked);
      }
    },
  };
}
