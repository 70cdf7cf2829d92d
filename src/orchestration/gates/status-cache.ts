import type { NotesStatus } from "./notes-status.ts";

/** Keeps the last summary by its key. Losing it costs time and nothing else. */
export interface StatusCache {
  load(key: string): NotesStatus | undefined;
  save(key: string, status: NotesStatus): void;
}
