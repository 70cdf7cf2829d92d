import { expect, it } from "vitest";
import { openLoopback, sendJson } from "../../../../tests/support/loopback-server.ts";
import { openHosted, secretKey } from "../../../../tests/support/provider-wires.ts";
import type { HostedProvider } from "../../../domain/models/hosted-providers.ts";

const listed = (member: string) => ({ data: [{ id: "bottle-7b", [member]: 32_768 }] });

it.each<[HostedProvider, string, object]>([
  ["anthropic", "/models/bottle-7b", { id: "bottle-7b", max_input_tokens: 32_768 }],
  ["google", "/models/bottle-7b", { name: "models/bottle-7b", inputTokenLimit: 32_768 }],
  ["mistral", "/models", listed("max_context_length")],
  ["groq", "/models", listed("context_window")],
  ["openrouter", "/models", listed("context_length")],
])("%s says how much a model can read, and is asked for it once", async (provider, path, facts) => {
  const server = await openLoopback((seen, response) =>
    sendJson(response, seen.path === path ? 200 : 404, facts),
  );
  const runner = openHosted(provider, server.url);
  const { signal } = new AbortController();
  for (const _ of [1, 2]) {
    expect(await runner.window?.(`${provider}/bottle-7b`, signal)).toBe(32_768);
  }
  expect(server.seen).toHaveLength(1);
  expect(JSON.stringify(server.seen[0]?.headers)).toContain(secretKey);
});

it("a provider that does not say it is not asked", async () => {
  const server = await openLoopback((_seen, response) => sendJson(response, 500, {}));
  const runner = openHosted("openai", server.url);
  const window = await runner.window?.("openai/gpt-4o", new AbortController().signal);
  expect(window).toBeUndefined();
  expect(server.seen).toEqual([]);
});
