import { useState } from "react";
import { ReasonDialog } from "../../design/reason-dialog.tsx";

/** A person's own text, which is checked and reviewed like any other. */
export function EditDialog(props: {
  readonly text: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onDecide: (text: string, reason: string) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(props.text);
  return (
    <ReasonDialog
      title="Edit and resubmit"
      label="Why did you change it?"
      action="Resubmit"
      isBusy={props.isBusy || text.trim() === ""}
      error={props.error}
      onDecide={(reason) => props.onDecide(text, reason)}
      onClose={props.onClose}
    >
      <label className="field">
        <span>The text</span>
        <textarea value={text} onChange={(event) => setText(event.target.value)} />
      </label>
    </ReasonDialog>
  );
}
