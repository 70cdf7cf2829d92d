const allowance = 4_096;

/** `max_tokens` is meant for the visible text: without an allowance a model that thinks answers nothing. */
export function replyTokens(maxTokens: number, thinks: boolean): number {
  return thinks ? maxTokens + allowance : maxTokens;
}
