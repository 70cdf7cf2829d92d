import { parseNote } from "../../../../contract/documents/parse-note.ts";
import type { NoteParts } from "../../../../domain/gates/note-parts.ts";
import { judgeOffline } from "../../../../domain/gates/offline-judge.ts";
import type { Json } from "../../../../domain/values/json.ts";
import { type GateReviewTask, replyToTask } from "../../../../protocol/gates/task.ts";

/** The rule-based stand-in for a judge. It reads the task, never the prompt, and says which check spoke. */
export function judgeStandIn(json: Json): string | undefined {
  const task = json as unknown as GateReviewTask | null;
  if (task?.kind !== "review-bundle" && task?.kind !== "review-sweep") return undefined;
  const notes = task.kind === "review-bundle" ? [task.note] : task.notes;
  const texts = new Map(notes.map(({ path, text }) => [path, text]));
  const parsed = new Map<string, NoteParts>();
  return replyToTask(task, (path, gateId) => {
    const parts = parsed.get(path) ?? parseNote(texts.get(path) ?? "");
    parsed.set(path, parts);
    return judgeOffline(gateId, parts);
  });
}
