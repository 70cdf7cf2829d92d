import { z } from "zod";
import { defined } from "../../../domain/values/defined.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { type GateReviewTask, replyToTask, scriptedReview } from "../../../protocol/gates/task.ts";

/** Scripted reviews of pairs of note and gate. */
export interface ReviewScript {
  /** The model that the replies claim to come from; the one asked for when absent. */
  readonly model?: string;
  readonly reviews: ReadonlyMap<string, ReadonlyMap<string, ScriptedPair>>;
}

export type ScriptedPair =
  | { readonly kind: "review"; readonly text: string }
  | {
      readonly kind: "error";
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
    };

export const scriptedFailure = z.strictObject({
  code: z.string().min(1).default("scripted-failure"),
  message: z.string().min(1).default("The script says that this call fails."),
  retryable: z.boolean().default(false),
});

const failure = z.strictObject({ $error: scriptedFailure });

export const reviewScriptShape = z.strictObject({
  model: z.string().min(1).optional(),
  reviews: z.record(z.string(), z.record(z.string(), z.union([z.string(), failure]))),
});

export function readReviewScript(written: z.infer<typeof reviewScriptShape>): ReviewScript {
  const reviews = Object.entries(written.reviews).map(([note, gates]) => {
    const pairs = Object.entries(gates).map(([gate, said]) => [gate, pairOf(said)] as const);
    return [note, new Map(pairs)] as const;
  });
  return { reviews: new Map(reviews), ...defined({ model: written.model }) };
}

function pairOf(said: string | z.infer<typeof failure>): ScriptedPair {
  return typeof said === "string"
    ? { kind: "review", text: said }
    : { kind: "error", ...said.$error };
}

/** The blocks of all pairs in the script; others are left out, as a sloppy model would do. */
export function replyFromReviews(script: ReviewScript, request: AskRequest): string {
  const task = request.task as unknown as GateReviewTask;
  return replyToTask(task, (notePath, gateId) => {
    const said = script.reviews.get(notePath)?.get(gateId);
    if (said?.kind === "error") throw new RunnerError(said.message, said);
    return said === undefined ? undefined : scriptedReview(said.text);
  });
}
