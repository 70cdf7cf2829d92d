import { expect, it } from "vitest";
import type { Settings } from "../../domain/settings/settings.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Runner } from "../../ports/runner.ts";
import { requireUsable } from "./check-models.ts";

async function refusal(model: string, window: Runner["window"]) {
  const runner: Runner = {
    attempt: () => Promise.reject(new Error("nothing may be asked")),
    ...(window === undefined ? {} : { window }),
  };
  const by = {
    settings: { prices: [], aliases: {}, compatible: {} } as unknown as Settings,
    at: instant("2026-11-18T12:00:00.000Z"),
    runnerFor: async () => ({ runner, provider: "shop", price: () => undefined }),
  };
  const prompts = [{ model, bytes: 1_000_000, replyTokens: 1_000 }];
  return requireUsable({ models: [model], prompts }, by).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

it.each<[string, string, Runner["window"], RegExp | undefined]>([
  ["what was published", "openai/gpt-4o-2024-08-06", undefined, /room for 128,000 tokens/u],
  ["what its provider says", "openai/gpt-4o", async () => 64_000, /room for 64,000 tokens/u],
  ["what its provider says, if it is more", "openai/gpt-4o", async () => 2_000_000, undefined],
  ["nothing, where nothing is known", "azure/our-gpt", undefined, undefined],
  [
    "what was published, if the provider does not answer",
    "anthropic/claude-haiku-4-5",
    () => Promise.reject(new Error("gone")),
    /at least 200,000 tokens.*claude-haiku-4-5 has room for 200,000/u,
  ],
])("a prompt is held against %s", async (_what, model, window, words) => {
  const said = await refusal(model, window);
  if (words === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(words);
});
