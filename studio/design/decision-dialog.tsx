import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ReasonDialog } from "./reason-dialog.tsx";
import { notify } from "./toasts.tsx";

/**
 * Asks for a reason, decides, and closes. A refusal is shown here and the dialog stays open, so that nothing written is
 * lost; in both cases what the page shows is read again.
 */
export function DecisionDialog<Result>(props: {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly tone?: "primary" | "danger";
  /** The decision may be made without a reason. */
  readonly isOptional?: boolean;
  /** Something else that it needs is missing. */
  readonly isIncomplete?: boolean;
  /** Above the reason, and below it. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
  readonly decide: (reason: string) => Promise<Result>;
  /** Said briefly afterwards. */
  readonly done?: string;
  readonly onDecided?: ((result: Result) => void) | undefined;
  readonly onClose: () => void;
}) {
  const { isIncomplete = false, decide, done, onDecided, onClose, ...shown } = props;
  const client = useQueryClient();
  const decision = useMutation({
    mutationFn: decide,
    onSuccess: (result) => {
      if (done !== undefined) notify({ title: done });
      onClose();
      onDecided?.(result);
    },
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <ReasonDialog
      {...shown}
      isBusy={decision.isPending || isIncomplete}
      error={decision.error}
      onDecide={decision.mutate}
      onClose={onClose}
    />
  );
}
