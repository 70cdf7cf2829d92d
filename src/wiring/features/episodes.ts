import { confinedPath } from "../../adapters/workspace/confined-path.ts";
import { lazily } from "../../domain/values/lazily.ts";
import {
  assetsKind,
  draftEvents,
  draftKind,
  reviewEvents,
  reviewKind,
  summaryEvents,
  summaryKind,
} from "../../orchestration/episodes/episode-kinds.ts";
import type { EpisodeRecordParts } from "../../orchestration/episodes/episode-records.ts";
import type { WorkspaceLock } from "../../orchestration/episodes/episode-state.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

/** Loads nothing until an episode is worked on. */
export function episodesFeature(given: FeatureParts): Feature {
  const load = lazily(async () =>
    (await import("./episode-flows.ts")).episodeFlowsOf(partsOf(given)),
  );
  return {
    flows: [
      [reviewKind, laterFlow(load, "review"), "anywhere"],
      [draftKind, laterFlow(load, "draft"), "anywhere"],
      [summaryKind, laterFlow(load, "summary"), "anywhere"],
      [assetsKind, laterFlow(load, "assets"), "anywhere"],
    ],
    projectors: [
      laterProjector(load, "reviewRecord", { jobs: [reviewKind], kinds: reviewEvents }),
      laterProjector(load, "draftsRecord", { jobs: [draftKind], kinds: draftEvents }),
      laterProjector(load, "summaryRecord", { jobs: [summaryKind], kinds: summaryEvents }),
    ],
  };
}

function partsOf({ root, store, clock, crash, exclusively }: FeatureParts): EpisodeRecordParts {
  return {
    store,
    journal: store.runs,
    async runOf(run) {
      const record = await store.runs.load(run);
      if (record === undefined) throw new Error(`there is no run ${run}`);
      return record;
    },
    async openFolder(workspace) {
      const { openEpisodeFolder } = await import("../../adapters/workspace/episode-folder.ts");
      return openEpisodeFolder(pathOfWorkspace(root, workspace), crash);
    },
    lock: workspaceLock({ exclusively }),
    clock,
  };
}

/** A run names its workspace, and its project is the one around it. */
export function pathOfWorkspace(root: string, workspace: string): string {
  return workspace === "." ? root : confinedPath(root, workspace);
}

/** Only one process at a time changes the shared files of workspaces. */
export function workspaceLock({ exclusively }: Pick<FeatureParts, "exclusively">): WorkspaceLock {
  return (work) => exclusively("episodes", work);
}
