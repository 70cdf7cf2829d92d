import { parseLock } from "../../contract/gates/lock-file.ts";
import type { CurrentAcceptance, NoteAcceptances, ReviewRepos } from "../../ports/review-repos.ts";
import type { NotesTools } from "./notes-tools.ts";
import { TimeSlices } from "./time-slices.ts";

/** The newest of each pair and model, one by one, for work that looks at each anyway. */
export async function visitCurrentAcceptances(
  { acceptances }: ReviewRepos,
  visit: (row: CurrentAcceptance) => void,
): Promise<void> {
  await acceptances.byNote((note) => {
    for (const [at, { gateId, model }] of note.gates.entries()) {
      const next = note.gates[at + 1];
      if (next?.gateId === gateId && next.model === model) continue;
      const row = acceptanceAt(note, at);
      if (row !== undefined) visit(row);
    }
  });
}

export function acceptanceAt(note: NoteAcceptances, at: number): CurrentAcceptance | undefined {
  const [gate, noteBlob, decision] = [note.gates[at], note.noteBlobs[at], note.decisions[at]];
  if (gate === undefined || noteBlob === undefined || decision === undefined) return undefined;
  return { ...gate, notePath: note.notePath, noteBlob, decision };
}

/** Every partition that has verdicts, in the store or the lock. */
export async function knownModels({
  clock,
  files,
  settings,
  store,
}: NotesTools): Promise<readonly string[]> {
  const pace = new TimeSlices(clock);
  const { lines } = parseLock((await files.read(settings.lock)) ?? "");
  const models = new Set(lines.map(({ modelId }) => modelId));
  await store?.read(async ({ reviews }) => {
    await reviews.acceptances.byNote(({ gates }) => {
      for (const { model } of gates) models.add(model);
      return pace.pause();
    });
  });
  return [...models];
}
