import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ask } from "../../api/client.ts";
import { notify } from "../../design/toasts.tsx";

/** `version` is the state that the person saw when they began to decide. */
export type Act = { readonly version: number } & (
  | { readonly act: "approve"; readonly turn?: number; readonly reason?: string }
  | { readonly act: "request_changes"; readonly reason: string }
  | { readonly act: "edit"; readonly text: string; readonly reason: string }
);

const said = {
  approve: "Approved",
  request_changes: "Changes requested; the next turn has started",
  edit: "Your text was submitted for review",
} as const;

/**
 * What a person decides about a draft. Each act names the version the person saw; when another person was first,
 * the refusal says who, and what is shown is read again.
 */
export function useDecisions(draft: { readonly run_id: string }, onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { run_id: draft.run_id };
  const refresh = (): Promise<void> => client.invalidateQueries();
  const rule = useMutation({
    mutationFn: (act: Act) => ask("POST /api/v1/drafts/:run_id/rulings", { params, body: act }),
    onSuccess: async ({ next_run_id }, { act }) => {
      notify({ title: said[act] });
      onDone();
      if (next_run_id !== null)
        await navigate({ to: "/drafts/$run", params: { run: next_run_id } });
    },
    onSettled: refresh,
  });
  const resume = useMutation({
    mutationFn: () => ask("POST /api/v1/runs/:run_id/resume", { params, body: {} }),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: (reason: string) =>
      ask("POST /api/v1/runs/:run_id/cancel", { params, body: { reason } }),
    onSuccess: onDone,
    onSettled: refresh,
  });
  return { rule, resume, cancel };
}
