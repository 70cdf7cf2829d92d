import { promptId, renderPromptRecord } from "../../contract/episodes/provenance-files.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { key, type RunId } from "../../domain/values/ids.ts";
import type { EpisodeFile } from "../../ports/episode-folder.ts";
import type { Ask } from "../../ports/flow.ts";
import type { Journal } from "../../ports/journal.ts";
import { sha256Digest } from "./sha256.ts";

type Prompt = Pick<Ask["request"], "role" | "system" | "user">;

/** How a text refers to the prompt it answers. The same prompt has the same name in every run. */
export function promptRef({ key: at, request }: Ask): ProvenanceRef {
  return { kind: "prompts", ref: promptId(asStored(request), sha256Digest), metadata: { key: at } };
}

/** The prompts behind these references, as files; the journal has kept their words. */
export async function promptFiles(
  journal: Pick<Journal, "facts">,
  run: RunId,
  provenance: readonly ProvenanceRef[],
): Promise<readonly EpisodeFile[]> {
  const files = new Map<string, EpisodeFile>();
  for (const { kind, ref, metadata } of provenance) {
    if (kind !== "prompts" || typeof metadata.key !== "string") continue;
    const asked = await journal.facts(run, key(metadata.key));
    if (asked === undefined) continue;
    const path = layout.provenance("prompts", ref);
    files.set(path, { path, content: renderPromptRecord(asStored(asked), ref) });
  }
  return [...files.values()];
}

function asStored({ role, system, user }: Prompt) {
  return { template: `${role}_default`, text: `${system}\n\n${user}\n`, context: { role } };
}
