import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

/** Asks why before something is decided; the reason is kept with the decision. */
export function ReasonDialog(props: {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly tone?: "primary" | "danger";
  /** The decision may be made without a reason. */
  readonly isOptional?: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Above the reason, and below it. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
  readonly onDecide: (reason: string) => void;
  readonly onClose: () => void;
}) {
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
