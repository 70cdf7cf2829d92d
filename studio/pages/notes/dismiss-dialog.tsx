import { ask } from "../../api/client.ts";
import { DecisionDialog } from "../../design/decision-dialog.tsx";

/** A person dismisses a finding. */
export function DismissDialog(props: {
  readonly finding: {
    readonly fingerprint: string;
    readonly message: string;
    readonly survives_rewording: boolean;
  };
  readonly onClose: () => void;
}) {
  const { finding, onClose } = props;
  const { fingerprint } = finding;
  return (
    <DecisionDialog
      title="Dismiss this finding"
      label="Why dismiss this finding?"
      action="Dismiss"
      decide={(reason) => ask("POST /api/v1/notes/dismiss", { body: { fingerprint, reason } })}
      onClose={onClose}
    >
      <p className="quote">{finding.message}</p>
      <p className="soft">
        {finding.survives_rewording
          ? "The dismissal holds until the quoted words change."
          : "It quotes nothing, so the dismissal holds only while the note is unchanged."}
      </p>
    </DecisionDialog>
  );
}
