import type { CreatorReply } from "../../../domain/drafting/candidate.ts";
import type { ReviewerReply } from "../../../domain/drafting/review.ts";
import type { Json } from "../../../domain/values/json.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AskRequest, Runner } from "../../../ports/runner.ts";
import type { CreatorTask, ReviewerTask } from "../../../protocol/drafting/task.ts";
import { writeProse } from "./prose-writer.ts";
import { isSlogan } from "./recipe-kind.ts";
import { review } from "./reviewer.ts";
import { writeSlogan } from "./slogan-writer.ts";
import { lengthOf } from "./word-forms.ts";

const OFFLINE_MODEL = "offline/rules";

export interface OfflineRunnerOptions {
  readonly clock: Pick<Clock, "now">;
  /** The writers of the two reply formats, so that stand-ins pass the same readers as models. */
  readonly writeCreatorReply: (reply: CreatorReply, form: "plain" | "structured") => string;
  readonly writeReviewerReply: (
    reply: ReviewerReply,
    form: "phrase" | "structured",
    phrase: string,
  ) => string;
  /** Stand-ins of single features; the first that knows a task answers it. */
  readonly standIns?: readonly StandIn[];
}

/** Answers the tasks it knows, and no others. */
export type StandIn = (task: Json, seed: number) => string | undefined;

/**
 * A rule-based writer and reviewer that need no network. They read the task and never the prompt, so the same
 * task and seed give the same text on every machine.
 */
export function createOfflineRunner(options: OfflineRunnerOptions): Runner {
  return {
    async attempt(request, signal, onText) {
      signal.throwIfAborted();
      const startedAt = options.clock.now();
      const text = replyTo(request, options);
      for (const part of text.match(/\S+\s*|\s+/gu) ?? []) {
        signal.throwIfAborted();
        onText?.(part);
      }
      return {
        kind: "replied",
        reply: {
          text,
          model: OFFLINE_MODEL,
          finish: "complete",
          usage: {
            input: estimatedTokens(request.system) + estimatedTokens(request.user),
            output: estimatedTokens(text),
            microUsd: 0,
          },
          startedAt,
          finishedAt: options.clock.now(),
        },
      };
    },
    models: async () => [OFFLINE_MODEL],
  };
}

function replyTo(request: AskRequest, options: OfflineRunnerOptions): string {
  const given = memberOf(request.task, "seed") ?? seedOf(request.settings);
  for (const standIn of options.standIns ?? []) {
    const text = standIn(request.task, typeof given === "number" ? given : 1);
    if (text !== undefined) return text;
  }
  const task = readTask(request.task);
  if (task.kind === "review") {
    return options.writeReviewerReply(review(task), task.approval, task.phrase);
  }
  const seed = task.seed ?? seedOf(request.settings) ?? 1;
  const write = isSlogan(task) ? writeSlogan : writeProse;
  return options.writeCreatorReply(write(task, seed), task.reply);
}

/** The flow makes tasks from typed values, so telling the kinds apart is all there is to check. */
function readTask(task: Json): CreatorTask | ReviewerTask {
  const kind = memberOf(task, "kind");
  if (kind === "create" || kind === "review") return task as unknown as CreatorTask | ReviewerTask;
  throw new RunnerError(`${OFFLINE_MODEL} cannot do a task of kind ${JSON.stringify(kind)}.`, {
    code: "offline_task_unsupported",
    facts: { kind: kind ?? null },
    hint: "Choose a model for this role.",
  });
}

function seedOf(settings: Json): number | undefined {
  const seed = memberOf(settings, "seed");
  return typeof seed === "number" ? seed : undefined;
}

function memberOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [name: string]: Json })[name];
}

function estimatedTokens(text: string): number {
  return Math.ceil(lengthOf(text) / 4);
}
