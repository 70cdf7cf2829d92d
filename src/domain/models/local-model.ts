/** Whether a model runs on this machine, so that asking it costs nothing. */
export function isLocalModel(model: string): boolean {
  return /^(?:offline\/|ollama\/|script:|person$)/.test(model);
}
