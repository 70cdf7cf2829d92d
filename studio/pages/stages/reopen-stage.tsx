import { useState } from "react";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { May } from "../../design/may.tsx";
import type { StageDetail } from "./stage-queries.ts";
import { useStageSteps } from "./use-stage-steps.ts";

/** A closed stage stays closed until a person opens it again. */
export function ReopenStage({ detail }: { readonly detail: StageDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { act } = useStageSteps(detail);
  if (!detail.stage.stage_closing_gate.status.startsWith("closed")) return null;
  return (
    <May do="decide">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Reopen
      </button>
      {isOpen && (
        <DecisionDialog
          title="Reopen the stage"
          label="Why?"
          action="Reopen"
          decide={(reason) => act.mutateAsync({ step: "reopen", reason })}
          onClose={() => setOpen(false)}
        />
      )}
    </May>
  );
}
