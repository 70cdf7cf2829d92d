import type { Key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError, AskFailed } from "../../domain/values/workflow-error.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Reply, StoredError } from "../../ports/runner.ts";

/** What a reader makes of a reply. */
export type Reading<T> =
  | { readonly kind: "readable"; readonly value: T }
  | { readonly kind: "unreadable"; readonly problems: readonly string[] };

/** A reply that could not be read, as the repair's prompt needs it. */
export interface UnreadableReply {
  readonly problems: readonly string[];
  readonly text: string;
  readonly isCut: boolean;
}

export interface Reader<A extends Ask, T> {
  /** Called for complete replies only: what is left of a cut one may look whole. */
  readonly read: (ask: A, reply: Reply) => Reading<T>;
  /** Asks for the same once more, with the reason. Absent: what cannot be read is not asked for again. */
  readonly repair?: (ask: A, unreadable: UnreadableReply) => A;
}

/** How an ask went, its repair included. `ask` is the last one made; `keys` and `replies` cover all of them. */
export type Answered<A extends Ask, T> = {
  readonly ask: A;
  readonly keys: readonly Key[];
  readonly replies: readonly Reply[];
} & (
  | { readonly kind: "readable"; readonly reply: Reply; readonly value: T }
  | { readonly kind: "unreadable"; readonly reply: Reply; readonly problems: readonly string[] }
  | { readonly kind: "failed"; readonly error: StoredError; readonly cause?: unknown }
);

/**
 * Asks all at once, and once more for each unreadable reply; a cut reply then gets twice the tokens. The answers are in
 * the order of the asks. A flow that cannot continue without a readable reply throws `unusableReplies`.
 */
export async function askReadable<A extends Ask, T>(
  ctx: Pick<FlowContext, "askAll">,
  asks: readonly A[],
  reader: Reader<A, T>,
): Promise<readonly Answered<A, T>[]> {
  const first = await askOnce(ctx, asks, reader);
  const { repair } = reader;
  if (repair === undefined) return first;
  const repairs = first.flatMap((one) =>
    one.kind === "unreadable" ? [repairOf(one, repair)] : [],
  );
  if (repairs.length === 0) return first;
  const second = [...(await askOnce(ctx, repairs, reader))];
  return first.map((one) => {
    const again = one.kind === "unreadable" ? second.shift() : undefined;
    if (again === undefined) return one;
    const { keys, replies } = again;
    return { ...again, keys: [...one.keys, ...keys], replies: [...one.replies, ...replies] };
  });
}

/** One ask that must not fail; the caller handles an unreadable reply. */
export async function askOneReadable<A extends Ask, T>(
  ctx: Pick<FlowContext, "askAll">,
  ask: A,
  reader: Reader<A, T>,
): Promise<Exclude<Answered<A, T>, { readonly kind: "failed" }>> {
  const [answered] = await askReadable(ctx, [ask], reader);
  if (answered === undefined) throw new Error("askAll returned no ending");
  if (answered.kind === "failed") throw failedAsk(answered, answered.keys);
  return answered;
}

/**
 * The error of a flow that cannot continue with these answers. It names every unusable reply, so that a resume asks for
 * them again instead of replaying them.
 */
export function unusableReplies(
  what: string,
  answers: readonly Answered<Ask, unknown>[],
): AgentError {
  const useless = answers.filter(({ kind }) => kind !== "readable");
  const unusable = useless.flatMap(({ keys }) => keys);
  const [first] = useless;
  if (first?.kind === "failed") return failedAsk(first, unusable);
  const error = first?.kind === "unreadable" ? first.problems.join("; ") : "there was no reply";
  const isCut = first?.replies.at(-1)?.finish === "cut";
  return new AgentError(`${what} could not be used, even when asked again: ${error}.`, {
    code: "reply-unusable",
    facts: { error, unusable },
    hint: isCut
      ? "Resume the run to ask again; if that is cut too, give the role more max_tokens or choose another model."
      : "Resume the run to ask again, or choose another model.",
  });
}

async function askOnce<A extends Ask, T>(
  ctx: Pick<FlowContext, "askAll">,
  asks: readonly A[],
  { read }: Reader<A, T>,
): Promise<readonly Answered<A, T>[]> {
  const endings = await ctx.askAll(asks);
  return asks.map((ask, at): Answered<A, T> => {
    const ending = endings[at];
    if (ending === undefined) throw new Error("askAll returned too few endings");
    const keys = [ask.key];
    if (ending.kind === "failed") return { ask, keys, replies: [], ...ending };
    const { reply } = ending;
    const reading = reply.finish === "cut" ? cutOff : read(ask, reply);
    return { ask, keys, replies: [reply], reply, ...reading };
  });
}

const cutOff = { kind: "unreadable", problems: ["the reply was cut off"] } as const;

function repairOf<A extends Ask, T>(
  { ask, reply, problems }: Answered<A, T> & { readonly kind: "unreadable" },
  repair: NonNullable<Reader<A, T>["repair"]>,
): A {
  const isCut = reply.finish === "cut";
  const again = repair(ask, { problems, text: reply.text, isCut });
  const { max_tokens: tokens } = ask.request.settings as { readonly max_tokens?: Json };
  if (!isCut || typeof tokens !== "number") return again;
  const settings = { ...(again.request.settings as object), max_tokens: 2 * tokens };
  return { ...again, request: { ...again.request, settings } };
}

function failedAsk(
  { error, cause }: { readonly error: StoredError; readonly cause?: unknown },
  unusable: readonly Key[],
): AskFailed {
  const facts = error.facts as AskFailed["facts"];
  const { hint } = facts;
  return new AskFailed(error.message, {
    code: error.code,
    retryable: error.retryable,
    facts: { ...facts, unusable },
    ...(typeof hint === "string" ? { hint } : {}),
    cause,
  });
}
