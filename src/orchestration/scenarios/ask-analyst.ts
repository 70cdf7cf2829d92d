import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import type { VerdictReading } from "../../domain/scenarios/verdict.ts";
import { key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { FlowContext } from "../../ports/flow.ts";
import type { AskRequest, Reply } from "../../ports/runner.ts";
import { type AnalystTask, renderAnalystPrompt } from "../../protocol/scenarios/analyst-prompt.ts";
import {
  readVerdict,
  VERDICT_FORMAT_VERSION,
  writeVerdict,
} from "../../protocol/scenarios/verdict-format.ts";

export interface Judged {
  readonly reading: VerdictReading;
  readonly reply: Reply;
}

/** One verdict; a reply that cannot be used is asked for once more, and then counts as void. */
export async function askAnalyst(
  ctx: Pick<FlowContext, "ask" | "nonce">,
  about: {
    readonly number: number;
    readonly record: PackRecord;
    readonly targets: readonly RepairTarget[];
    readonly input: Pick<RunInput<"pack-loop">, "analystModel">;
    /** Iterations that this run has judged before. */
    readonly asked: number;
  },
): Promise<Judged> {
  const { number, record, targets, input, asked } = about;
  const nonce = ctx.nonce(`analyst/${number}`);
  const task: AnalystTask = { kind: "analyse-pack", run: record, targets, nonce };
  const request = (of: AnalystTask, ordinal: number): AskRequest => ({
    role: "analyst",
    model: input.analystModel,
    ...renderAnalystPrompt(of),
    expects: "json",
    settings: {},
    formatVersion: VERDICT_FORMAT_VERSION,
    task: JSON.parse(JSON.stringify(of)) as Json,
    ordinal,
  });
  const first = await ctx.ask(key("iteration", number, "analyst"), request(task, asked * 2));
  const reading = readReply(first);
  if (reading.kind === "read") return { reading, reply: first };
  const repair = { problems: reading.problems, text: first.text };
  const second = await ctx.ask(
    key("iteration", number, "analyst", "repair"),
    request({ ...task, repair }, asked * 2 + 1),
  );
  return { reading: readReply(second), reply: second };
}

/** A verdict that seems whole may be all that is left of a longer one. */
function readReply(reply: Reply): VerdictReading {
  return reply.finish === "cut"
    ? { kind: "void", problems: ["the reply was cut off"] }
    : readVerdict(reply.text);
}

/** `analyst_verdict.json`: the verdict, or what came in its place. */
export function verdictText({ reading, reply }: Judged): string {
  return reading.kind === "read"
    ? writeVerdict(reading.verdict)
    : JSON.stringify({ void: true, problems: reading.problems, reply: reply.text }, null, 2);
}
