import { rulePartition } from "../../domain/gates/notes-settings.ts";
import { type StaleDay, stalenessByDay } from "../../domain/gates/staleness-over-time.ts";
import { instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import { loadWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { partitionOf, selectAllPairs } from "./select-pairs.ts";

const dayMillis = 86_400_000;

/** How many of the pairs that a model or a rule reviews were fresh at the end of each of the last days, in UTC. */
export async function loadStaleness(
  tools: NotesTools,
  { model, days }: { readonly model: string; readonly days: number },
): Promise<readonly StaleDay[]> {
  const { settings, source, store, clock } = tools;
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const { freshPairs, stale } = await selectAllPairs(tools, world, { models: [model] });
  const pairs = [
    ...freshPairs.map((pair) => ({ ...pair, isFresh: true })),
    ...stale.map((pair) => ({ ...pair, isFresh: false })),
  ];
  const midnight = Math.floor(millisOf(clock.now()) / dayMillis) * dayMillis;
  const shown = Array.from({ length: days }, (_, at) => {
    const starts = midnight - (days - 1 - at) * dayMillis;
    return {
      day: instantFromMillis(starts).slice(0, 10),
      endsAt: instantFromMillis(starts + dayMillis - 1),
    };
  });
  const since = instantFromMillis(midnight - days * dayMillis);
  const acceptances = await store?.read(async ({ reviews }) => [
    ...(await reviews.acceptances.timeline(partitionOf(tools, model))),
    ...(await reviews.acceptances.timeline(rulePartition)),
  ]);
  return stalenessByDay(shown, {
    pairs,
    changes: await source.versionChanges(since, [...settings.roots, settings.gates]),
    acceptances: acceptances ?? [],
  });
}
