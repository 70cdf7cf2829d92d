import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { TokenCount } from "../../../domain/models/price.ts";
import { defined } from "../../../domain/values/defined.ts";

/** The request in the AI SDK's form. Streams are read directly: one request, one answer. */
export type ApiCall = LanguageModelV4CallOptions;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export interface ModelAnswer {
  readonly text: string;
  /** The model's id as the provider reports it. */
  readonly modelId?: string;
  readonly finish: "complete" | "cut";
  readonly tokens?: TokenCount;
}

/** The stream failed; `begun` distinguishes an interrupted reply from a server that is not a model API. */
export class BrokenStream extends Error {
  readonly begun: boolean;
  readonly reason: "error" | "unfinished" | "filtered" | "tools";

  constructor(reason: BrokenStream["reason"], begun: boolean, cause?: unknown) {
    super(`The stream is broken: ${reason}.`, { cause });
    this.reason = reason;
    this.begun = begun;
  }
}

/** Reads one answer to its end. A stream without a finish reason, as after an abort, is not an answer. */
export async function streamAnswer(
  model: LanguageModelV4,
  call: ApiCall,
  onText?: (part: string) => void,
): Promise<ModelAnswer> {
  const { stream } = await model.doStream(call);
  let text = "";
  let modelId: string | undefined;
  let begun = false;
  let finish: FinishPart | undefined;
  for await (const part of stream) {
    if (part.type === "text-delta" && part.delta !== "") {
      begun = true;
      text += part.delta;
      onText?.(part.delta);
    } else if (part.type === "response-metadata") {
      begun ||= part.modelId !== undefined;
      modelId = part.modelId ?? modelId;
    } else if (part.type === "finish") finish = part;
    else if (part.type === "error") throw new BrokenStream("error", begun, part.error);
  }
  if (finish === undefined) throw new BrokenStream("unfinished", begun);
  const tokens = tokensOf(finish.usage);
  return { text, finish: endOf(finish, begun), ...defined({ modelId, tokens }) };
}

function endOf({ finishReason }: FinishPart, begun: boolean): ModelAnswer["finish"] {
  switch (finishReason.unified) {
    case "stop":
      return "complete";
    case "length":
      return "cut";
    case "content-filter":
      throw new BrokenStream("filtered", begun);
    case "tool-calls":
      throw new BrokenStream("tools", begun);
    case "error":
      throw new BrokenStream("error", begun);
    case "interrupted":
      throw new BrokenStream("unfinished", begun);
    case "other":
      if (finishReason.raw === undefined) throw new BrokenStream("unfinished", begun);
      return "complete";
  }
}

function tokensOf(usage: FinishPart["usage"]): TokenCount | undefined {
  const { total: input, cacheRead } = usage.inputTokens;
  const { total: output } = usage.outputTokens;
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...defined({ cachedInput: cacheRead }) };
}
