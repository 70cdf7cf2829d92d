import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";

export interface ReviewScope {
  readonly note_ids?: readonly string[];
  readonly gates?: readonly string[];
  readonly model?: string;
  readonly limit?: number;
  readonly retry_undecided?: boolean;
  readonly again?: boolean;
}

export function useReview(scope: ReviewScope, onStarted: () => void = () => undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (planned: string | undefined) => startReview(scope, planned),
    onSuccess: onStarted,
    // What is known is of an earlier review; a new one may end before the first poll, with the same result.
    onSettled: () => client.resetQueries({ queryKey: ["notes", "review"] }),
  });
}

/** Starts what was planned; without a plan that was shown, the current plan. */
export async function startReview(scope: ReviewScope, planned: string | undefined) {
  const version = planned ?? (await ask("POST /api/v1/notes/plan", { body: scope })).version;
  return ask("POST /api/v1/notes/review", { body: { ...scope, version } });
}
