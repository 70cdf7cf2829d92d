import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import type { AnalystVerdict, VerdictReading } from "../../domain/scenarios/verdict.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Recorded } from "../../ports/journal.ts";
import type { Reply } from "../../ports/runner.ts";
import { type AnalystTask, renderAnalystPrompt } from "../../protocol/scenarios/analyst-prompt.ts";
import {
  readAnalystVerdict,
  VERDICT_FORMAT_VERSION,
  writeVerdict,
} from "../../protocol/scenarios/verdict-format.ts";
import { askOneReadable, type Reading } from "../runs/ask-readable.ts";

export interface Judged {
  readonly reading: VerdictReading;
  readonly reply: Reply;
}

/** One verdict; a reply that cannot be used is asked for once more, and then counts as void. */
export async function askAnalyst(
  ctx: Pick<FlowContext, "askAll" | "nonce">,
  about: {
    readonly number: number;
    readonly record: PackRecord;
    readonly targets: readonly RepairTarget[];
    readonly input: Pick<RunInput<"pack-loop">, "analystModel">;
    /** Iterations that this run has judged before. */
    readonly asked: number;
    /** What people decided before, with their comments. */
    readonly decisions: readonly string[];
  },
): Promise<Judged> {
  const { number, record, targets, input, asked, decisions } = about;
  const nonce = ctx.nonce(`analyst/${number}`);
  const task: AnalystTask = {
    kind: "analyse-pack",
    run: record,
    targets,
    nonce,
    ...(decisions.length === 0 ? {} : { decisions }),
  };
  const askFor = (of: AnalystTask): Ask => ({
    key: analystKey(number, ...(of.repair === undefined ? [] : ["repair"])),
    request: {
      role: "analyst",
      model: input.analystModel,
      ...renderAnalystPrompt(of),
      expects: "json",
      settings: {},
      formatVersion: VERDICT_FORMAT_VERSION,
      task: JSON.parse(JSON.stringify(of)) as Json,
      ordinal: asked * 2 + (of.repair === undefined ? 0 : 1),
    },
  });
  const answered = await askOneReadable(ctx, askFor(task), {
    read: (_, reply) => readingOf(readAnalystVerdict(reply.text)),
    repair: (_, { problems, text }) => askFor({ ...task, repair: { problems, text } }),
  });
  const { reply } = answered;
  return answered.kind === "readable"
    ? { reading: { kind: "read", verdict: answered.value }, reply }
    : { reading: { kind: "void", problems: answered.problems }, reply };
}

/** The verdict of an iteration, read again from the recorded replies; undefined while there is none. */
export async function readRecordedVerdict(
  find: (key: Key) => Promise<Recorded | undefined>,
  number: number,
): Promise<VerdictReading | undefined> {
  const found = (await find(analystKey(number, "repair"))) ?? (await find(analystKey(number)));
  if (found === undefined) return undefined;
  const { text, finish } = found.value as unknown as Reply;
  return finish === "cut"
    ? { kind: "void", problems: ["the reply was cut off"] }
    : readAnalystVerdict(text);
}

function analystKey(number: number, ...more: readonly string[]): Key {
  return key("iteration", number, "analyst", ...more);
}

function readingOf(reading: VerdictReading): Reading<AnalystVerdict> {
  return reading.kind === "read"
    ? { kind: "readable", value: reading.verdict }
    : { kind: "unreadable", problems: reading.problems };
}

/** `analyst_verdict.json`: the verdict, or what came in its place. */
export function verdictText({ reading, reply }: Judged): string {
  return reading.kind === "read"
    ? writeVerdict(reading.verdict)
    : JSON.stringify({ void: true, problems: reading.problems, reply: reply.text }, null, 2);
}
