import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import type { VerdictReading } from "../../domain/scenarios/verdict.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Recorded } from "../../ports/journal.ts";
import type { Reply } from "../../ports/runner.ts";
import { type ReplyAuthor, replyAuthor } from "../../protocol/drafting/reviewer-reply.ts";
import { type AnalystTask, renderAnalystPrompt } from "../../protocol/scenarios/analyst-prompt.ts";
import {
  type ReadVerdict,
  readAnalystVerdict,
  settleVerdict,
  VERDICT_FORMAT_VERSION,
  writeVerdict,
} from "../../protocol/scenarios/verdict-format.ts";
import { askOneReadable, type Reading } from "../runs/ask-readable.ts";

export interface Judged {
  readonly reading: VerdictReading;
  readonly reply: Reply;
}

interface AnalystAsk {
  readonly number: number;
  readonly record: PackRecord;
  readonly targets: readonly RepairTarget[];
  readonly input: Pick<RunInput<"pack-loop">, "analystModel">;
  /** Iterations that this run has judged before. */
  readonly asked: number;
  /** Whether the run would be accepted on this verdict. */
  readonly accepts: (reading: VerdictReading) => boolean;
}

/**
 * One verdict; a reply that cannot be used is asked for once more, and then counts as void. An acceptance that comes with
 * other words is asked to be signed once.
 */
export async function askAnalyst(
  ctx: Pick<FlowContext, "askAll" | "nonce">,
  about: AnalystAsk,
): Promise<Judged> {
  const { number, record, targets, input, asked } = about;
  const nonce = ctx.nonce(`analyst/${number}`);
  const task: AnalystTask = { kind: "analyse-pack", run: record, targets, nonce };
  const askFor = (of: AnalystTask, ...more: readonly string[]): Ask => ({
    key: analystKey(number, ...more),
    request: {
      role: "analyst",
      model: input.analystModel,
      ...renderAnalystPrompt(of),
      expects: "json",
      settings: {},
      formatVersion: VERDICT_FORMAT_VERSION,
      task: JSON.parse(JSON.stringify(of)) as Json,
      ordinal: asked * 2 + more.length,
    },
  });
  const answered = await askOneReadable(ctx, askFor(task), {
    read: (_, reply) => readingOf(readAnalystVerdict(reply.text, authorOf(input, reply))),
    repair: (_, { problems, text }) => askFor({ ...task, repair: { problems, text } }, "repair"),
  });
  const { reply } = answered;
  if (answered.kind === "unreadable") {
    return { reading: { kind: "void", problems: answered.problems }, reply };
  }
  const reading = answered.value;
  const author = authorOf(input, reply);
  if (!isUnsigned(reading, about) || author === "script") return { reading, reply };
  const { beside = "" } = reading.signature;
  const signed = await askOneReadable(ctx, askFor({ ...task, question: { beside } }, "question"), {
    read: (_, second) => ({
      kind: "readable",
      value: settleVerdict(reading, second.text, authorOf(input, second)),
    }),
  });
  const value = signed.kind === "readable" ? signed.value : reading;
  return { reading: value, reply: signed.reply };
}

/** Nothing but its reservations keeps the verdict from accepting the run. */
function isUnsigned(reading: ReadVerdict, { accepts }: AnalystAsk): boolean {
  const { how } = reading.signature;
  return how === "refused" && accepts({ ...reading, signature: { how: "bare" } });
}

function authorOf({ analystModel }: AnalystAsk["input"], { takesQuestions }: Reply): ReplyAuthor {
  return takesQuestions === true ? "model" : replyAuthor(analystModel);
}

/** The verdict of an iteration, read again from the recorded replies; undefined while there is none. */
export async function readRecordedVerdict(
  find: (key: Key) => Promise<Recorded | undefined>,
  number: number,
  input: AnalystAsk["input"],
): Promise<VerdictReading | undefined> {
  const replyAt = async (...more: readonly string[]) =>
    (await find(analystKey(number, ...more)))?.value as unknown as Reply | undefined;
  const reply = (await replyAt("repair")) ?? (await replyAt());
  if (reply === undefined) return undefined;
  if (reply.finish === "cut") return { kind: "void", problems: ["the reply was cut off"] };
  const reading = readAnalystVerdict(reply.text, authorOf(input, reply));
  const second = await replyAt("question");
  if (reading.kind === "void" || second === undefined || second.finish === "cut") return reading;
  return settleVerdict(reading, second.text, authorOf(input, second));
}

function analystKey(number: number, ...more: readonly string[]): Key {
  return key("iteration", number, "analyst", ...more);
}

function readingOf(reading: VerdictReading): Reading<ReadVerdict> {
  return reading.kind === "read"
    ? { kind: "readable", value: reading }
    : { kind: "unreadable", problems: reading.problems };
}

/** `analyst_verdict.json`: the verdict, or what came in its place. */
export function verdictText({ reading, reply }: Judged): string {
  return reading.kind === "read"
    ? writeVerdict(reading.verdict)
    : JSON.stringify({ void: true, problems: reading.problems, reply: reply.text }, null, 2);
}
