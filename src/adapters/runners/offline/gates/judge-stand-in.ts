import { parseNote } from "../../../../contract/documents/parse-note.ts";
import { readOfflineCheck } from "../../../../contract/gates/offline-check.ts";
import type { NoteParts } from "../../../../domain/gates/note-parts.ts";
import { judgeOffline } from "../../../../domain/gates/offline-judge.ts";
import { type GateReviewTask, replyToTask } from "../../../../protocol/gates/task.ts";

/** The rule-based stand-in for a judge. It reads what the gates of the task ask, and says which rule spoke. */
export function judgeStandIn(task: GateReviewTask): string {
  const notes = task.kind === "review-bundle" ? [task.note] : task.notes;
  const texts = new Map(notes.map(({ path, text }) => [path, text]));
  const gates = task.kind === "review-bundle" ? task.gates : [task.gate];
  const checks = new Map(gates.map(({ id, body }) => [id, readOfflineCheck(body)]));
  const parsed = new Map<string, NoteParts>();
  return replyToTask(task, (path, gateId) => {
    const parts = parsed.get(path) ?? parseNote(texts.get(path) ?? "");
    parsed.set(path, parts);
    return judgeOffline(gateId, checks.get(gateId), parts);
  });
}
