import { parseNote } from "../../../contract/notes/parse-note.ts";
import type { NoteParts } from "../../../domain/gates/note-parts.ts";
import { judgeOffline } from "../../../domain/gates/offline-judge.ts";
import type { Json } from "../../../domain/values/json.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Runner } from "../../../ports/runner.ts";
import { type GateReviewTask, replyToTask } from "../../../protocol/gates/task.ts";

const model = "offline/rules";

/** The rule-based stand-in for a judge. It reads the task, never the prompt, and says which check spoke. */
export function createOfflineJudge({ now }: Pick<Clock, "now">): Runner {
  return {
    async attempt(request, signal, onText) {
      signal.throwIfAborted();
      const startedAt = now();
      const task = request.task as unknown as GateReviewTask;
      const parsed = new Map<string, NoteParts>();
      const notes = new Map(
        (task.kind === "review-bundle" ? [task.note] : task.notes).map((note) => [note.path, note]),
      );
      const text = replyToTask(task, (path, gateId) => {
        const parts = parsed.get(path) ?? parseNote(notes.get(path)?.text ?? "");
        parsed.set(path, parts);
        return judgeOffline(gateId, parts);
      });
      onText?.(text);
      const usage = {
        input: estimated(request.system) + estimated(request.user),
        output: estimated(text),
        microUsd: 0,
      };
      const finishedAt = now();
      return {
        kind: "replied",
        reply: { text, model, finish: "complete", usage, startedAt, finishedAt },
      };
    },
  };
}

/** Whether a task is a review of notes, which this stand-in and no other knows. */
export function isGateReview(task: Json): boolean {
  const kind = (task as { readonly kind?: Json } | null)?.kind;
  return kind === "review-bundle" || kind === "review-sweep";
}

function estimated(text: string): number {
  return Math.ceil(text.length / 4);
}
