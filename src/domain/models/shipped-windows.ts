import { type ModelAliases, sameModel } from "./same-model.ts";

const openai = [
  ["gpt-6.1-terra", 1_050_000],
  ["gpt-5.2", 400_000],
  ["gpt-5", 400_000],
  ["gpt-5-mini", 400_000],
  ["gpt-5-nano", 400_000],
  ["gpt-4.1", 1_047_576],
  ["gpt-4o", 128_000],
  ["gpt-4o-mini", 128_000],
] as const;

const anthropic = [
  ["claude-sonnet-5", 1_000_000],
  ["claude-opus-4-6", 1_000_000],
  ["claude-sonnet-4-6", 1_000_000],
  ["claude-opus-4-5", 200_000],
  ["claude-sonnet-4-5", 200_000],
  ["claude-haiku-4-5", 200_000],
] as const;

const gemini = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"] as const;

/**
 * How many tokens a model reads and writes in one call, as published until November 2026, for providers that do not say
 * so when asked. Where figures differ the largest is used: a prompt that might be read is never refused.
 */
const shippedWindows: readonly (readonly [model: string, tokens: number])[] = [
  ...openai.map(([id, tokens]) => [`openai/${id}`, tokens] as const),
  ...anthropic.map(([id, tokens]) => [`anthropic/${id}`, tokens] as const),
  ...gemini.flatMap((id) =>
    ["google", "vertex"].map((provider) => [`${provider}/${id}`, 1_048_576] as const),
  ),
];

export function shippedWindow(model: string, aliases: ModelAliases): number | undefined {
  return shippedWindows.find(([known]) => sameModel(known, model, aliases))?.[1];
}
