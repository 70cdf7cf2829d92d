/** Families that think before they answer, and whose thinking counts against the limit of the reply. */
const families =
  /(?:^|[/-])(?:deepseek-r\d|qwq|qwen3|gpt-oss|magistral|o[134](?:$|[-:])|gpt-5|phi4-(?:mini-)?reasoning|[^/]*(?:thinking|reasoner|reasoning))/iu;

const allowance = 4_096;

/** Whether the model's name says that it thinks first; providers that report it are asked instead. */
export function isReasoningModel(model: string): boolean {
  return families.test(model);
}

/** `max_tokens` is meant for the visible text: without an allowance a model that thinks answers nothing. */
export function replyTokens(maxTokens: number, thinks: boolean): number {
  return thinks ? maxTokens + allowance : maxTokens;
}
