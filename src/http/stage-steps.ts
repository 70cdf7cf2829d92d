import type { StageDetail } from "../contract/http/stages.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { StageStore } from "../orchestration/stages/close-stage.ts";

interface Asked {
  /** The length of the history that the person looked at; a longer one is refused. */
  readonly seen: number;
  readonly by: string;
}

export type AskedStep = Asked &
  (
    | { readonly step: "continue" | "prepare-repair" | "execute-repair" | "run" }
    | { readonly step: "import"; readonly runId: string }
    | { readonly step: "decide"; readonly choice: "continue" | "stop"; readonly comment?: string }
  );

export interface StepTaken {
  /** What was done, in lines. */
  readonly said: readonly string[];
  /** The loop that was started. */
  readonly run?: RunId;
}

/** Stages by their ids, and the steps that `signoff stage …` takes. */
export interface StageSteps extends StageStore {
  readonly take: (stageId: string, asked: AskedStep) => Promise<StepTaken>;
  /** The program that a repair starts, and the loop that is not over. */
  readonly work: (stageId: string) => Promise<Pick<StageDetail, "coder" | "loop">>;
  /** Ends coders that were started here, and waits until what they and the loops left is recorded. */
  readonly close: () => Promise<void>;
}
