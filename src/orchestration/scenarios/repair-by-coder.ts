import { writeRunEvent } from "../../contract/scenarios/run-events.ts";
import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import { planRepair } from "../../domain/stages/repair-plan.ts";
import { key } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunCoder } from "../../ports/coder.ts";
import type { FlowContext } from "../../ports/flow.ts";
import {
  type CoderResult,
  readCoderResult,
  renderRepairPrompt,
  writeCoderResult,
} from "../../protocol/scenarios/repair-prompt.ts";
import type { Iteration } from "./loop-iteration.ts";
import { targetsOf } from "./loop-stop.ts";

const longest = 3 * 60 * 60 * 1000;

/** Runs the coder once on what is open. Its word is a claim; the replay that follows is the proof. */
export async function repairByCoder(
  ctx: FlowContext,
  about: {
    readonly input: RunInput<"pack-loop">;
    readonly latest: Iteration;
    readonly runCoder: RunCoder;
  },
): Promise<CoderResult["status"]> {
  const { input, latest, runCoder } = about;
  const { folder, number } = latest;
  const iterationId = `iteration-${number}`;
  const planned = planRepair(targetsOf(latest), {
    iterationId,
    packHash: input.specHash,
    hints: input.fileHints,
    validationCommand: input.validationCommand,
  });
  const argv = input.coder;
  if (argv === undefined) {
    throw new ConfigurationError("auto-coder needs the coder's command.", {
      code: "coder-missing",
    });
  }
  if (planned.kind === "nothing-to-repair") return "no_change";
  const prompt = renderRepairPrompt(planned.plan, latest.pack.state.title);
  const recorded = await ctx.step(
    key("iteration", number, "coder"),
    { argv, prompt },
    async (signal) => {
      // A recorded verdict without a recorded coder: an earlier process may have started it.
      if (latest.judged.reply.replayed) {
        const summary = "the coder may have been at work when the process ended";
        return writeCoderResult({ status: "interrupted", summary, changedFiles: [] });
      }
      const run = await runCoder({ argv, prompt, timeoutMs: longest }, signal);
      const said = readCoderResult(run.stdout);
      const failed = run.exitCode !== 0;
      return writeCoderResult(failed ? { ...said, status: "failed" } : said);
    },
  );
  ctx.emit(writeRunEvent("coder-ended", { folder, prompt, result: recorded }));
  return coderStatusOf(recorded);
}

function coderStatusOf(recorded: string): CoderResult["status"] {
  return (JSON.parse(recorded) as { readonly coder_status: CoderResult["status"] }).coder_status;
}
