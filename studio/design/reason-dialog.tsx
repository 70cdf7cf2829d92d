import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

/** Asks why before something is decided; the reason is kept with the decision. */
export function ReasonDialog(props: {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly tone?: "primary" | "danger";
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly children?: ReactNode;
  readonly onDecide: (reason: string) => void;
  readonly onClose: () => void;
}) {
  const { title, label, action, tone = "primary", isBusy, error, onDecide, onClose } = props;
  const [reason, setReason] = useState("");
  const decide = (): void => {
    if (reason.trim() !== "" && !isBusy) onDecide(reason.trim());
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
            required
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <small>Kept with the decision, with your name. Ctrl+Enter sends it.</small>
        </label>
        {error !== null && <Failure error={error} />}
        <div className="row end">
          <button type="button" className="button quiet" onClick={onClose}>
            Not now
          </button>
          <button
            type="submit"
            className={`button ${tone}`}
            disabled={isBusy || reason.trim() === ""}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
