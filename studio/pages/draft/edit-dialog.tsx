import { useState } from "react";
import { DecisionDialog } from "../../design/decision-dialog.tsx";

/** A person's own text, which is checked and reviewed like any other. */
export function EditDialog(props: {
  readonly text: string;
  readonly decide: (text: string, reason: string) => Promise<string | null>;
  readonly onDecided: (next: string | null) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(props.text);
  return (
    <DecisionDialog
      title="Edit and resubmit"
      label="Why did you change it?"
      action="Resubmit"
      isIncomplete={text.trim() === ""}
      decide={(reason) => props.decide(text, reason)}
      onDecided={props.onDecided}
      onClose={props.onClose}
    >
      <label className="field">
        <span>The text</span>
        <textarea value={text} onChange={(event) => setText(event.target.value)} />
      </label>
    </DecisionDialog>
  );
}
