import { defined } from "../../domain/values/defined.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { loadEpisodeSummary, loadState } from "./load-episode.ts";

/** What the texts are made of, for a screen. */
export async function loadMaterialView(folder: EpisodeFolder) {
  const summary = await loadEpisodeSummary(folder);
  return { chapters: (await loadState(folder))?.chapters ?? [], ...defined({ summary }) };
}
