import { listStages, type StageListing } from "../orchestration/stages/list-stages.ts";
import { rememberBriefly } from "./remember-briefly.ts";
import type { StudioParts } from "./studio-parts.ts";

const listings = new WeakMap<StudioParts, (entries: number) => Promise<StageListing>>();

/** The stages for screens that ask again and again: read anew when one has got an entry, or after a moment. */
export async function currentStages(parts: StudioParts): Promise<StageListing> {
  const { clock, stages, source } = parts;
  const listing =
    listings.get(parts) ?? rememberBriefly(clock, (_entries: number) => listStages(stages));
  listings.set(parts, listing);
  return listing(await source.store.read((repos) => repos.stages.countEntries()));
}
