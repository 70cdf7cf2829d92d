import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client.ts";
import { useMay, useRole } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { Dialog } from "../../design/dialog.tsx";
import { May } from "../../design/may.tsx";
import { Failure } from "../../design/states.tsx";
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
          onConfirmed={() => {
            setSeen(undefined);
            onConfirmed?.();
          }}
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
  readonly onConfirmed: () => void;
}) {
  const { stageId, title, version, onClose, onConfirmed } = props;
  const client = useQueryClient();
  const isOperator = useRole() === undefined;
  const [by, setBy] = useState("");
  const [reason, setReason] = useState("");
  const confirm = useMutation({
    mutationFn: () =>
      ask("POST /api/v1/stages/:stage_id/confirmation", {
        params: { stage_id: stageId },
        body: { version, reason: reason.trim(), ...(by.trim() === "" ? {} : { by: by.trim() }) },
      }),
    onSuccess: onConfirmed,
    onSettled: () => client.invalidateQueries(),
  });
  const isReady = reason.trim() !== "" && !confirm.isPending;
  return (
    <Dialog title={`Confirm and close: ${title}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) confirm.mutate();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && isReady)
            confirm.mutate();
        }}
      >
        <p>
          You confirm that you checked the assistant yourself and that it does what this stage
          promised. Only reopening the stage undoes this.
        </p>
        <label className="field">
          <span>What did you see?</span>
          <textarea
            autoFocus
            required
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        {isOperator && (
          <label className="field">
            <span>Your name</span>
            <input maxLength={200} value={by} onChange={(event) => setBy(event.target.value)} />
            <small>
              Leave empty to use the name of whoever started this studio. Ctrl+Enter confirms.
            </small>
          </label>
        )}
        {confirm.error !== null && <Failure error={confirm.error} />}
        <div className="row end">
          <button type="button" className="button quiet" onClick={onClose}>
            Not now
          </button>
          <button type="submit" className="button primary" disabled={!isReady}>
            Confirm and close
          </button>
        </div>
      </form>
    </Dialog>
  );
}
