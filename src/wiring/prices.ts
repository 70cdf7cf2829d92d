/** Local, scripted and offline models cost nothing; any other price has to be known, and is not guessed. */
export function priceOf(model: string): number | undefined {
  return /^(?:offline\/|ollama\/|script:)/.test(model) ? 0 : undefined;
}

/** Micro-dollars for a plan, when the price of every model is known. */
export function priceRange(
  models: readonly string[],
  cost: { readonly calls: number },
): { readonly low: number; readonly high: number } | undefined {
  if (cost.calls === 0) return { low: 0, high: 0 };
  return models.every((model) => priceOf(model) === 0) ? { low: 0, high: 0 } : undefined;
}
