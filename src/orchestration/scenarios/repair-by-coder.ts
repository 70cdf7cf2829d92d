import { writeRunEvent } from "../../contract/scenarios/run-events.ts";
import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import type { CoderStatus } from "../../domain/scenarios/coder-status.ts";
import { planRepair } from "../../domain/scenarios/repair-plan.ts";
import { defined } from "../../domain/values/defined.ts";
import { key } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { FlowContext } from "../../ports/flow.ts";
import { renderCoderPrompt, writeCoderResult } from "../../protocol/scenarios/repair-prompt.ts";
import type { Iteration } from "./loop-iteration.ts";
import { targetsOf } from "./loop-stop.ts";
import { type CoderTools, coderCommand, runCoderOnce } from "./run-coder-once.ts";

/** How long a coder may take where nothing else is configured. */
const longestMs = 3 * 60 * 60 * 1000;

/** Runs the coder once on what is open. The replay that follows is the proof. */
export async function repairByCoder(
  ctx: FlowContext,
  about: {
    readonly input: RunInput<"pack-loop">;
    readonly latest: Iteration;
    readonly decisions: readonly string[];
    readonly tools: CoderTools;
  },
): Promise<{ readonly status: CoderStatus; readonly question?: string }> {
  const { input, latest, decisions, tools } = about;
  const { folder, number } = latest;
  const { coder: argv, coderTimeoutMs: timeoutMs = longestMs, coderReads: reads = "text" } = input;
  if (argv === undefined) {
    const message = "auto-coder needs the coder's command.";
    throw new ConfigurationError(message, { code: "coder-missing" });
  }
  const plan = planRepair(targetsOf(latest), {
    iterationId: `iteration-${number}`,
    packHash: input.specHash,
    hints: input.fileHints,
    validationCommand: input.validationCommand,
    decisions,
  });
  if (plan === undefined) return { status: "no_change" };
  const prompt = renderCoderPrompt(plan, latest.pack.state.title, `${folder}/pack_state.json`);
  ctx.emit(writeRunEvent("coder-began", { folder, prompt }));
  const { status, summary, claim } = await runCoderOnce(ctx, tools, {
    at: key("iteration", number, "coder"),
    command: coderCommand(
      { argv, timeoutMs, reads },
      { text: prompt, file: `${folder}/repair_prompt.md` },
    ),
    globs: [...new Set(Object.values(input.fileHints).flat())],
    folder: input.folder,
  });
  const result = writeCoderResult({ ...claim, status, summary });
  ctx.emit(writeRunEvent("coder-ended", { folder, prompt, result }));
  return { status, ...defined({ question: claim.decisionNeeded }) };
}
