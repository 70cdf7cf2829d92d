import { useState } from "react";
import { May } from "../../design/may.tsx";
import { ReasonDialog } from "../../design/reason-dialog.tsx";
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
        <ReasonDialog
          title="Reopen the stage"
          label="Why?"
          action="Reopen"
          isBusy={act.isPending}
          error={act.error}
          onDecide={(reason) =>
            act.mutate({ step: "reopen", reason }, { onSuccess: () => setOpen(false) })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </May>
  );
}
