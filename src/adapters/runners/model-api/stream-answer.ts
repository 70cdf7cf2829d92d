import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { TokenCount } from "../../../domain/models/price.ts";
import { defined } from "../../../domain/values/defined.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";

/** The request in the AI SDK's form. Streams are read directly: one request, one answer. */
export type ApiCall = LanguageModelV4CallOptions;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export interface ModelAnswer {
  readonly text: string;
  /** The model's id as the provider reports it. */
  readonly modelId?: string;
  readonly finish: "complete" | "cut";
  /** It thought before it answered. */
  readonly hasReasoned: boolean;
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
  const parts = new PartialAnswer(onText);
  for await (const part of stream) parts.take(part);
  const { text, modelId, finish, hasStarted } = parts;
  if (finish === undefined) throw new BrokenStream("unfinished", hasStarted);
  const tokens = tokensOf(finish.usage);
  const hasReasoned = parts.hasReasoned || (finish.usage.outputTokens.reasoning ?? 0) > 0;
  return { text, finish: endOf(finish, hasStarted), hasReasoned, ...defined({ modelId, tokens }) };
}

/** What has come of an answer so far. */
class PartialAnswer {
  text = "";
  modelId: string | undefined;
  hasStarted = false;
  hasReasoned = false;
  finish: FinishPart | undefined;
  readonly #onText: (part: string) => void;

  constructor(onText: (part: string) => void = () => undefined) {
    this.#onText = onText;
  }

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.#takeText(part.delta);
        return;
      case "reasoning-delta":
        this.hasReasoned = true;
        this.#onText("");
        return;
      case "response-metadata":
        this.hasStarted ||= part.modelId !== undefined;
        this.modelId = part.modelId ?? this.modelId;
        return;
      case "finish":
        this.finish = part;
        return;
      case "error":
        throw new BrokenStream("error", this.hasStarted, part.error);
      default:
        return;
    }
  }

  #takeText(delta: string): void {
    if (delta === "") return;
    this.hasStarted = true;
    this.text += delta;
    if (this.text.length > longestText) throw tooLong();
    this.#onText(delta);
  }
}

/** Far beyond what any model writes in one reply; everything that is made of a reply takes many times its memory. */
const longestText = 4 * 1024 * 1024;

function tooLong(): RunnerError {
  return new RunnerError(`The reply has more than ${longestText} characters.`, {
    code: "bad-reply",
    facts: { most_characters: longestText },
    hint: "Lower max_tokens, or name another model.",
  });
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
  const { total: input, cacheRead, cacheWrite } = usage.inputTokens;
  const { total: output } = usage.outputTokens;
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...defined({ cachedInput: cacheRead, cacheWrite: cacheWrite || undefined }),
  };
}
