import { linkOptions } from "@tanstack/react-router";
import type { InboxItem, Run } from "../api/queries.ts";

/** Where the thing that a run is about can be seen; the run's own page where there is no better one. */
export function placeOfRun(run: Pick<Run, "run_id" | "place">) {
  return aboutOf(run) ?? linkOptions({ to: "/runs/$run", params: { run: run.run_id } });
}

/** The same without the run's own page. */
export function aboutOf({ place }: Pick<Run, "place">) {
  const id = place?.id ?? "";
  const part = place?.part ?? "";
  switch (place?.kind) {
    case "draft":
      return linkOptions({ to: "/drafts/$run", params: { run: id } });
    case "episode":
      return linkOptions({ to: "/episodes/$episode", params: { episode: id } });
    case "asset":
      return linkOptions({ to: "/episodes/$episode/$asset", params: { episode: id, asset: part } });
    case "pack_run":
      return linkOptions({ to: "/packs/$pack/runs/$run", params: { pack: id, run: part } });
    case "stage":
      return linkOptions({ to: "/stages/$stage", params: { stage: id } });
    case "note":
      return linkOptions({
        to: "/notes",
        search: { path: id, ...(part === "" ? {} : { of: part }) },
      });
    case "notes":
      return linkOptions({ to: "/notes" });
    case undefined:
      return undefined;
  }
}

/** Where something that needs a person is seen with everything around it. */
export function placeOfItem(item: InboxItem) {
  if (item.kind === "stage") {
    return linkOptions({ to: "/stages/$stage", params: { stage: item.id } });
  }
  const { asset, run_id } = item;
  if (asset !== null) {
    const params = { episode: asset.episode, asset: asset.asset_id };
    return linkOptions({ to: "/episodes/$episode/$asset", params });
  }
  return item.kind === "question"
    ? linkOptions({ to: "/inbox", search: { item: item.id } })
    : linkOptions({ to: "/drafts/$run", params: { run: run_id } });
}

const kinds: { readonly [kind: string]: string } = {
  draft: "Draft",
  "episode-draft": "Episode draft",
  "episode-review": "Episode review",
  "episode-assets": "Episode drafts",
  "episode-summarize": "Episode summary",
  "gate-review": "Note review",
  "gate-sweep": "Notes review",
  pack: "Pack run",
  "pack-loop": "Pack loop",
  scenario: "Scenario",
  "stage-repair": "Stage repair",
};

export const runKinds = Object.entries(kinds);

export function kindWords(kind: string): string {
  return kinds[kind] ?? kind;
}
