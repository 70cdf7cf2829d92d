/** Providers that are paid with a key of the user's own: where it is sent, and the variable that holds it. */
export const hostedProviders = {
  openai: { address: "https://api.openai.com/v1", variable: "OPENAI_API_KEY" },
  anthropic: { address: "https://api.anthropic.com/v1", variable: "ANTHROPIC_API_KEY" },
} as const;
