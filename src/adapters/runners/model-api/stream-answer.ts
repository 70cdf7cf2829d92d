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

/** The stream failed; `hasStarted` distinguishes an interrupted reply from a server that is not a model API. */
export class BrokenStream extends Error {
  readonly hasStarted: boolean;
  readonly reason: "error" | "unfinished" | "filtered" | "tools";

  constructor(reason: BrokenStream["reason"], hasStarted: boolean, cause?: unknown) {
    super(`The stream is broken: ${reason}.`, { cause });
    this.reason = reason;
    this.hasStarted = hasStarted;
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
  let hasStarted = false;
  let finish: FinishPart | undefined;
  for await (const part of stream) {
    if (part.type === "text-delta" && part.delta !== "") {
      hasStarted = true;
      text += part.delta;
      onText?.(part.delta);
    } else if (part.type === "response-metadata") {
      hasStarted ||= part.modelId !== undefined;
      modelId = part.modelId ?? modelId;
    } else if (part.type === "finish") finish = part;
    else if (part.type === "reasoning-delta") onText?.("");
    else if (part.type === "error") throw new BrokenStream("error", hasStarted, part.error);
  }
  if (finish === undefined) throw new BrokenStream("unfinished", hasStarted);
  const tokens = tokensOf(finish.usage);
  return { text, finish: endOf(finish, hasStarted), ...defined({ modelId, tokens }) };
}

function endOf({ finishReason }: FinishPart, hasStarted: boolean): ModelAnswer["finish"] {
  switch (finishReason.unified) {
    case "stop":
      return "complete";
    case "length":
      return "cut";
    case "content-filter":
      throw new BrokenStream("filtered", hasStarted);
    case "tool-calls":
      throw new BrokenStream("tools", hasStarted);
    case "error":
      throw new BrokenStream("error", hasStarted);
    case "interrupted":
      throw new BrokenStream("unfinished", hasStarted);
    case "other":
      if (finishReason.raw === undefined) throw new BrokenStream("unfinished", hasStarted);
      return "complete";
  }
}

function tokensOf(usage: FinishPart["usage"]): TokenCount | undefined {
  const { total: input, cacheRead } = usage.inputTokens;
  const { total: output } = usage.outputTokens;
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...defined({ cachedInput: cacheRead }) };
}
