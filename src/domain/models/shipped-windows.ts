import { type ModelAliases, sameModel } from "./same-model.ts";

const anthropic = "https://platform.claude.com/docs/en/about-claude/models/overview";
const openai = "https://developers.openai.com/api/docs/models";
const google = "https://ai.google.dev/gemini-api/docs/models";

/** How many tokens a model reads and writes in one call, for providers that do not say it when asked. */
interface ShippedWindow {
  readonly model: string;
  readonly tokens: number;
  /** The provider's page. */
  readonly source: string;
}

/** The largest figures that were published, so that nothing is refused that might be read. */
const shippedWindows: readonly ShippedWindow[] = [
  { model: "anthropic/claude-sonnet-5", tokens: 1_000_000, source: anthropic },
  { model: "anthropic/claude-opus-4-6", tokens: 1_000_000, source: anthropic },
  { model: "anthropic/claude-sonnet-4-6", tokens: 1_000_000, source: anthropic },
  { model: "anthropic/claude-opus-4-5", tokens: 200_000, source: anthropic },
  { model: "anthropic/claude-sonnet-4-5", tokens: 200_000, source: anthropic },
  { model: "anthropic/claude-haiku-4-5", tokens: 200_000, source: anthropic },
  { model: "openai/gpt-6.1-terra", tokens: 1_050_000, source: openai },
  { model: "openai/gpt-5.2", tokens: 400_000, source: openai },
  { model: "openai/gpt-5", tokens: 400_000, source: openai },
  { model: "openai/gpt-5-mini", tokens: 400_000, source: openai },
  { model: "openai/gpt-5-nano", tokens: 400_000, source: openai },
  { model: "openai/gpt-4.1", tokens: 1_047_576, source: openai },
  { model: "openai/gpt-4o", tokens: 128_000, source: openai },
  { model: "openai/gpt-4o-mini", tokens: 128_000, source: openai },
  ...["google", "vertex"].flatMap((provider) =>
    ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"].map((id) => ({
      ...{ model: `${provider}/${id}`, tokens: 1_048_576, source: google },
    })),
  ),
];

export function shippedWindow(model: string, aliases: ModelAliases): number | undefined {
  return shippedWindows.find((known) => sameModel(known.model, model, aliases))?.tokens;
}
