import { useState } from "react";
import { ask } from "../../api/client.ts";
import { useMay, useRole } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { May } from "../../design/may.tsx";
import type { StageDetail } from "./stage-queries.ts";

/** The last act of a stage is a person's. It names the state that the person saw when the dialog opened. */
export function ConfirmStage(props: {
  readonly detail: StageDetail;
  readonly onConfirmed?: () => void;
}) {
  const { detail, onConfirmed } = props;
  const [seen, setSeen] = useState<number>();
  const { stage, version } = detail;
  const isReady = stage.stage_closing_gate.status === "ready_for_manual_confirmation";
  const canConfirm = isReady && !stage.is_at_work;
  const open = (): void => setSeen(version);
  const mayDecide = useMay("decide");
  useKeys({ a: canConfirm && mayDecide ? open : undefined });
  return (
    <>
      {canConfirm && (
        <May do="decide">
          <button type="button" className="button primary" onClick={open}>
            Confirm and close <kbd>a</kbd>
          </button>
        </May>
      )}
      {seen !== undefined && (
        <ConfirmDialog
          stageId={stage.stage_id}
          title={stage.module_name}
          version={seen}
          onClose={() => setSeen(undefined)}
          onConfirmed={onConfirmed}
        />
      )}
    </>
  );
}

function ConfirmDialog(props: {
  readonly stageId: string;
  readonly title: string;
  readonly version: number;
  readonly onClose: () => void;
  readonly onConfirmed: (() => void) | undefined;
}) {
  const { stageId, title, version, onClose, onConfirmed } = props;
  const isOperator = useRole() === undefined;
  const [by, setBy] = useState("");
  return (
    <DecisionDialog
      title={`Confirm and close: ${title}`}
      label="What did you see?"
      action="Confirm and close"
      decide={(reason) =>
        ask("POST /api/v1/stages/:stage_id/confirmation", {
          params: { stage_id: stageId },
          body: { version, reason, ...(by.trim() === "" ? {} : { by: by.trim() }) },
        })
      }
      onDecided={onConfirmed}
      onClose={onClose}
      below={
        isOperator && (
          <label className="field">
            <span>Your name</span>
            <input maxLength={200} value={by} onChange={(event) => setBy(event.target.value)} />
            <small>Leave empty to use the name of whoever started this studio.</small>
          </label>
        )
      }
    >
      <p>
        You confirm that you checked the assistant yourself and that it does what this stage
        promised. Only reopening the stage undoes this.
      </p>
    </DecisionDialog>
  );
}
