import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";
import { notify } from "./toasts.tsx";

interface Asked {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly tone?: "primary" | "danger";
  /** The decision may be made without a reason. */
  readonly isOptional?: boolean;
  /** Above the reason, and below it. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
  readonly onClose: () => void;
}

/**
 * Asks for a reason, which is kept with the decision, decides, and closes. A refusal is shown here and the dialog stays
 * open, so that nothing written is lost; in both cases what the page shows is read again.
 */
export function DecisionDialog<Result>(
  props: Asked & {
    /** Something besides the reason is missing. */
    readonly isIncomplete?: boolean;
    readonly decide: (reason: string) => Promise<Result>;
    /** Said briefly afterwards. */
    readonly done?: string;
    readonly onDecided?: ((result: Result) => void) | undefined;
  },
) {
  const { isIncomplete = false, decide, done, onDecided, ...asked } = props;
  const client = useQueryClient();
  const decision = useMutation({
    mutationFn: decide,
    onSuccess: (result) => {
      if (done !== undefined) notify({ title: done });
      asked.onClose();
      onDecided?.(result);
    },
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <ReasonDialog
      {...asked}
      isBusy={decision.isPending || isIncomplete}
      error={decision.error}
      onDecide={decision.mutate}
    />
  );
}

function ReasonDialog(
  props: Asked & {
    readonly isBusy: boolean;
    readonly error: unknown;
    readonly onDecide: (reason: string) => void;
  },
) {
  const { title, label, action, tone = "primary", isOptional = false } = props;
  const { isBusy, error, onDecide, onClose } = props;
  const [reason, setReason] = useState("");
  const canDecide = !isBusy && (isOptional || reason.trim() !== "");
  const decide = (): void => {
    if (canDecide) onDecide(reason.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          decide();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) decide();
        }}
      >
        {props.children}
        <label className="field">
          <span>{label}</span>
          <textarea
            autoFocus
            required={!isOptional}
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <small>Kept with the decision, with your name. Ctrl+Enter sends it.</small>
        </label>
        {props.below}
        {error !== null && <Failure error={error} />}
        <div className="row end">
          <button type="button" className="button quiet" onClick={onClose}>
            Not now
          </button>
          <button type="submit" className={`button ${tone}`} disabled={!canDecide}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
