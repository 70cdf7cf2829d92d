import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import { readNotesOf } from "../../wiring/features/notes-reading.ts";
import type { CliContext } from "../shell/cli-context.ts";
import type { NotesSession } from "./notes-context.ts";

/** Reads the notes and changes nothing. Apart from `withNotes`, because what calls models takes long to load. */
export function readNotes<T>(
  { environment }: CliContext,
  { root, loaded }: NotesSession,
  work: (tools: NotesTools) => Promise<T>,
): Promise<T> {
  return readNotesOf({ root, environment, settings: loaded.settings }, work);
}
