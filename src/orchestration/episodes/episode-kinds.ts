/** Names of jobs and of the events that become files. Kept apart from what they name, which only an episode loads. */
export const reviewKind = "episode-review";
export const draftKind = "episode-draft";
export const summaryKind = "episode-summarize";
export const assetsKind = "episode-assets";

export const reviewEvents = ["iteration-recorded", "loop-decided"] as const;
export const draftEvents = ["candidate-written", "drafts-written"] as const;
export const summaryEvents = ["chunk-summarized", "episode-summarized"] as const;
