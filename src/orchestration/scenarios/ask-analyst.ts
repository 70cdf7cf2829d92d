import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import type { AnalystAnswer } from "../../domain/scenarios/judge-run.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import type { VerdictReading } from "../../domain/scenarios/verdict.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Recorded } from "../../ports/journal.ts";
import type { Reply } from "../../ports/runner.ts";
import { replyAuthor } from "../../protocol/drafting/reviewer-reply.ts";
import { type AnalystTask, renderAnalystPrompt } from "../../protocol/scenarios/analyst-prompt.ts";
import {
  type ReadVerdict,
  readAnalystVerdict,
  settleVerdict,
  VERDICT_FORMAT_VERSION,
  writeVerdict,
} from "../../protocol/scenarios/verdict-format.ts";
import {
  askOneReadable,
  askReadable,
  type Reading,
  unusableReplies,
} from "../runs/ask-readable.ts";

/** What the analysts said about an iteration. */
export interface Judged {
  readonly answers: readonly AnalystAnswer[];
  /** Of the one whose verdict decides what happens next. */
  readonly reading: VerdictReading;
  /** The texts of their files, by name. */
  readonly texts: ReadonlyMap<string, string>;
}

type LoopInput = Pick<RunInput<"pack-loop">, "analystModel" | "analysts">;
type Member = NonNullable<LoopInput["analysts"]>["members"][number];

interface AnalystAsk {
  readonly number: number;
  readonly record: PackRecord;
  readonly targets: readonly RepairTarget[];
  readonly input: LoopInput;
  /** Iterations that this run has judged before. */
  readonly asked: number;
  /** What people decided before, with their comments. */
  readonly decisions: readonly string[];
  readonly contract?: string;
  /** Whether the run would be accepted on this verdict. */
  readonly accepts: (reading: VerdictReading) => boolean;
}

/** The name of an analyst that is not one of several. */
const theAnalyst = "analyst";

export function membersOf({ analystModel, analysts }: LoopInput): readonly Member[] {
  return analysts?.members ?? [{ name: theAnalyst, model: analystModel }];
}

/** Every analyst's verdict. The call of a single one must not fail; one of several is then absent. */
export async function askAnalysts(ctx: AskContext, about: AnalystAsk): Promise<Judged> {
  const members = membersOf(about.input);
  const texts = new Map<string, string>();
  const answers: AnalystAnswer[] = [];
  for (const member of members) {
    const { name, model } = member;
    const heard = await askAnalyst(ctx, about, member);
    if (heard !== undefined) texts.set(name, verdictText(heard));
    answers.push({ name, model, ...defined({ reading: heard?.reading }) });
  }
  const readings = answers.flatMap(({ reading }) => reading ?? []);
  const asks = (one: VerdictReading) => one.kind === "read" && one.verdict.requiresUserDecision;
  const reading =
    readings.find(asks) ?? readings.find((one) => !about.accepts(one)) ?? readings[0] ?? silence;
  return { answers, reading, texts };
}

const silence: VerdictReading = { kind: "void", problems: ["no analyst answered"] };

type AskContext = Pick<FlowContext, "askAll" | "nonce">;

/** One analyst's reply and what it says. */
interface Heard {
  readonly reading: VerdictReading;
  readonly reply: Reply;
}

/**
 * One verdict; a reply that cannot be used is asked for once more, and then counts as void. An acceptance that comes with
 * other words is asked to be signed once. Undefined if the call of one of several failed.
 */
async function askAnalyst(
  ctx: AskContext,
  about: AnalystAsk,
  member: Member,
): Promise<Heard | undefined> {
  const askFor = asksOf(ctx, about, member);
  const [answered] = await askReadable(ctx, [askFor({})], {
    read: (_, reply) => readingOf(readAnalystVerdict(reply.text, replyAuthor(member.model, reply))),
    repair: (_, { problems, text }) => askFor({ repair: { problems, text } }),
  });
  if (answered?.kind !== "readable" && answered?.kind !== "unreadable") {
    if (about.input.analysts !== undefined) return undefined;
    throw unusableReplies("The analyst's reply", answered === undefined ? [] : [answered]);
  }
  const { reply } = answered;
  if (answered.kind === "unreadable") {
    return { reading: { kind: "void", problems: answered.problems }, reply };
  }
  const reading = answered.value;
  if (!isUnsigned(reading, about) || replyAuthor(member.model, reply) === "script") {
    return { reading, reply };
  }
  const { beside = "" } = reading.signature;
  const signed = await askOneReadable(ctx, askFor({ question: { beside } }), {
    read: (_, second) => ({
      kind: "readable",
      value: settleVerdict(reading, second.text, replyAuthor(member.model, second)),
    }),
  });
  return { reading: signed.kind === "readable" ? signed.value : reading, reply: signed.reply };
}

/** Makes the first ask, its repair and the signature question. */
function asksOf(ctx: AskContext, about: AnalystAsk, { name, model, criteria }: Member) {
  const { number, record, targets, input, asked, decisions, contract } = about;
  const isOneOfMany = input.analysts !== undefined;
  const task: AnalystTask = {
    ...{ kind: "analyse-pack", run: record, targets },
    nonce: ctx.nonce(isOneOfMany ? `analyst/${number}/${name}` : `analyst/${number}`),
    ...(isOneOfMany && { member: { name, ...defined({ criteria }) } }),
    ...(decisions.length > 0 && { decisions }),
    ...defined({ contract }),
  };
  return (more: Pick<AnalystTask, "repair" | "question">): Ask => {
    const of = { ...task, ...more };
    return {
      key: analystKey(number, isOneOfMany ? name : undefined, ...Object.keys(more)),
      ...(isOneOfMany && more.question === undefined && { mayFail: true }),
      request: {
        role: "analyst",
        model,
        ...renderAnalystPrompt(of),
        expects: "json",
        settings: {},
        formatVersion: VERDICT_FORMAT_VERSION,
        task: JSON.parse(JSON.stringify(of)) as Json,
        ordinal: asked * 2 + Object.keys(more).length,
      },
    };
  };
}

/** Nothing but its reservations keeps the verdict from accepting the run. */
function isUnsigned(reading: ReadVerdict, { accepts }: AnalystAsk): boolean {
  const { how } = reading.signature;
  return how === "refused" && accepts({ ...reading, signature: { how: "bare" } });
}

/** The verdicts of an iteration, read again from the recorded replies; undefined while there are none. */
export async function readRecordedVerdicts(
  find: (key: Key) => Promise<Recorded | undefined>,
  number: number,
  input: LoopInput,
): Promise<readonly AnalystAnswer[] | undefined> {
  const answers: AnalystAnswer[] = [];
  for (const member of membersOf(input)) {
    const name = input.analysts === undefined ? undefined : member.name;
    const reading = await readRecordedVerdict(
      async (...more) => replyIn(await find(analystKey(number, name, ...more))),
      member,
    );
    answers.push({ name: member.name, model: member.model, ...defined({ reading }) });
  }
  return answers.every(({ reading }) => reading === undefined) ? undefined : answers;
}

async function readRecordedVerdict(
  replyAt: (...more: readonly string[]) => Promise<Reply | undefined>,
  member: Member,
): Promise<VerdictReading | undefined> {
  const reply = (await replyAt("repair")) ?? (await replyAt());
  if (reply === undefined) return undefined;
  if (reply.finish === "cut") return { kind: "void", problems: ["the reply was cut off"] };
  const reading = readAnalystVerdict(reply.text, replyAuthor(member.model, reply));
  const second = await replyAt("question");
  if (reading.kind === "void" || second === undefined || second.finish === "cut") return reading;
  return settleVerdict(reading, second.text, replyAuthor(member.model, second));
}

/** A call that failed is recorded too, and has no text. */
function replyIn(recorded: Recorded | undefined): Reply | undefined {
  const value = recorded?.value as unknown as Partial<Reply> | undefined;
  return value?.text === undefined ? undefined : (value as Reply);
}

function analystKey(number: number, name?: string, ...more: readonly string[]): Key {
  return key("iteration", number, "analyst", ...(name === undefined ? [] : [name]), ...more);
}

function readingOf(reading: VerdictReading): Reading<ReadVerdict> {
  return reading.kind === "read"
    ? { kind: "readable", value: reading }
    : { kind: "unreadable", problems: reading.problems };
}

/** `analyst_verdict.json`: the verdict, or what came in its place. */
function verdictText({ reading, reply }: Heard): string {
  return reading.kind === "read"
    ? writeVerdict(reading.verdict)
    : JSON.stringify({ void: true, problems: reading.problems, reply: reply.text }, null, 2);
}
