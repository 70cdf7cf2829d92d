import { deriveVerdict } from "../../../../domain/scenarios/derived-verdict.ts";
import type { AnalystTask } from "../../../../protocol/scenarios/analyst-prompt.ts";
import { writeVerdict } from "../../../../protocol/scenarios/verdict-format.ts";

/** A stand-in for the analyst: it says what the checks found, in the analyst's format, and nothing else. */
export function analystStandIn(task: AnalystTask): string {
  return writeVerdict(deriveVerdict(task.run, task.targets));
}
