import { resolveLink } from "../../domain/relocation/link-target.ts";
import type { NoteLink } from "../../domain/relocation/note-link.ts";
import type { LinkTableEntry } from "./prompt.ts";

/**
 * The links to other notes, each once, with the note they lead to or none. A link out of the root is listed as
 * leading nowhere: a reviewer has no business there.
 */
export function buildLinkTable(
  notePath: string,
  links: readonly NoteLink[],
  exists: (path: string) => boolean,
): readonly LinkTableEntry[] {
  const entries = new Map<string, LinkTableEntry>();
  for (const { kind, text, destination } of links) {
    const target = resolveLink(notePath, destination);
    if (kind === "image" || target.kind === "external" || target.kind === "same-note") continue;
    const path = target.kind === "path" ? target.path : undefined;
    if (path !== undefined && !path.endsWith(".md")) continue;
    const found = path !== undefined && exists(path);
    entries.set(destination, { text, destination, ...(found ? { path } : {}) });
  }
  return [...entries.values()];
}
