import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";
import { ReasonDialog } from "../../design/reason-dialog.tsx";

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
  const client = useQueryClient();
  const dismiss = useMutation({
    mutationFn: (reason: string) =>
      ask("POST /api/v1/notes/dismiss", { body: { fingerprint, reason } }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ["notes"] }),
  });
  return (
    <ReasonDialog
      title="Dismiss this finding"
      label="Why dismiss this finding?"
      action="Dismiss"
      isBusy={dismiss.isPending}
      error={dismiss.error}
      onDecide={dismiss.mutate}
      onClose={onClose}
    >
      <p className="quote">{finding.message}</p>
      <p className="soft">
        {finding.survives_rewording
          ? "The dismissal holds until the quoted words change."
          : "It quotes nothing, so the dismissal holds only while the note is unchanged."}
      </p>
    </ReasonDialog>
  );
}
