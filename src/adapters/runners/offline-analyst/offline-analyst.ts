import { deriveVerdict } from "../../../domain/scenarios/derived-verdict.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Runner } from "../../../ports/runner.ts";
import type { AnalystTask } from "../../../protocol/scenarios/analyst-prompt.ts";
import { writeVerdict } from "../../../protocol/scenarios/verdict-format.ts";

/** A stand-in for the analyst: it says what the checks found, in the analyst's format, and nothing else. */
export function createOfflineAnalyst(clock: Pick<Clock, "now">): Runner {
  return {
    async attempt({ task, model }, signal) {
      signal.throwIfAborted();
      const { kind, run, targets } = task as unknown as AnalystTask;
      if (kind !== "analyse-pack") {
        throw new RunnerError(`${model} cannot do a task of kind ${JSON.stringify(kind)}.`, {
          code: "offline-task-unsupported",
          hint: "Choose a model for this role.",
        });
      }
      const startedAt = clock.now();
      const reply = {
        text: writeVerdict(deriveVerdict(run, targets)),
        model,
        finish: "complete",
        usage: { input: 0, output: 0, microUsd: 0 },
        startedAt,
        finishedAt: clock.now(),
      } as const;
      return { kind: "replied", reply };
    },
  };
}
