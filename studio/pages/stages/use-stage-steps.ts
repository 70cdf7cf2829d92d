import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";
import type { StageDetail, Step, StepTaken } from "./stage-queries.ts";

type Asked =
  | { readonly step: Step }
  | { readonly step: "import"; readonly run_id: string }
  | { readonly step: "decide"; readonly choice: "continue" | "stop"; readonly comment: string }
  | {
      readonly step: "rule";
      readonly about: "finding" | "repair";
      readonly id: string;
      readonly reason: string;
    }
  | { readonly step: "reopen"; readonly reason: string };

export type StageAct = ReturnType<typeof useStageSteps>["act"];

/** Takes steps of a stage as it is shown; if it has moved on since, nothing is done. */
export function useStageSteps({ stage: { stage_id }, version }: StageDetail) {
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (asked: Asked) => takeStep({ stage_id, version }, asked),
    onSettled: () => client.invalidateQueries(),
  });
  return { act, said: act.data?.said ?? [] };
}

export function takeStep(
  { stage_id, version }: Pick<StageDetail["stage"], "stage_id"> & Pick<StageDetail, "version">,
  asked: Asked,
): Promise<StepTaken> {
  const params = { stage_id };
  switch (asked.step) {
    case "import": {
      const body = { version, run_id: asked.run_id };
      return ask("POST /api/v1/stages/:stage_id/imports", { params, body });
    }
    case "decide": {
      const { choice, comment } = asked;
      const body = { version, choice, comment };
      return ask("POST /api/v1/stages/:stage_id/decision", { params, body });
    }
    case "rule": {
      const { step: _, ...ruling } = asked;
      const body = { version, ...ruling };
      return ask("POST /api/v1/stages/:stage_id/ruling", { params, body });
    }
    case "reopen": {
      const body = { version, reason: asked.reason };
      return ask("POST /api/v1/stages/:stage_id/reopening", { params, body });
    }
    default: {
      const body = { version, step: asked.step };
      return ask("POST /api/v1/stages/:stage_id/steps", { params, body });
    }
  }
}
