import type { NotesSettings } from "../../domain/gates/notes-settings.ts";

/** Beside the lock. In a file of its own, because a cached status needs nothing else of rulings. */
export function rulingsPath({ lock }: Pick<NotesSettings, "lock">): string {
  return `${lock.replace(/\.lock$/, "")}.rulings`;
}
