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
 * the refusal says who.
 */
export function useDecisions(draft: { readonly run_id: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { run_id: draft.run_id };
  const rule = async (act: Act): Promise<string | null> => {
    const { next_run_id } = await ask("POST /api/v1/drafts/:run_id/rulings", { params, body: act });
    notify({ title: said[act.act] });
    return next_run_id;
  };
  const cancel = async (reason: string): Promise<null> => {
    await ask("POST /api/v1/runs/:run_id/cancel", { params, body: { reason } });
    return null;
  };
  /** To the run that continues this one, if there is one. */
  const follow = (next: string | null): void => {
    if (next !== null) void navigate({ to: "/drafts/$run", params: { run: next } });
  };
  const resume = useMutation({
    mutationFn: () => ask("POST /api/v1/runs/:run_id/resume", { params, body: {} }),
    onSettled: () => client.invalidateQueries(),
  });
  return { rule, resume, cancel, follow };
}
