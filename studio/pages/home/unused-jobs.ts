interface Job {
  readonly title: string;
  readonly words: string;
  readonly action: string;
  readonly to: "/drafts/new" | "/episodes" | "/notes" | "/packs";
}

const jobs: readonly (Job & { readonly kinds: readonly string[] })[] = [
  {
    title: "Write a text",
    words: "A writer drafts, a reviewer objects, and the loop ends when both sign.",
    action: "Start a draft",
    to: "/drafts/new",
    kinds: ["draft"],
  },
  {
    title: "Publish an episode",
    words: "Thirteen texts from one transcript, each reviewed, picked and locked.",
    action: "See episodes",
    to: "/episodes",
    kinds: ["episode-draft", "episode-review"],
  },
  {
    title: "Keep notes in order",
    words: "Every note is checked against every gate, and again when either changes.",
    action: "See notes",
    to: "/notes",
    kinds: ["gate-review", "gate-sweep"],
  },
  {
    title: "Test an assistant",
    words: "Chains of questions are asked of a live assistant and judged strictly.",
    action: "See packs",
    to: "/packs",
    kinds: ["pack", "scenario", "pack-loop"],
  },
];

/** The jobs that no finished run has been about. */
export function unusedJobs(
  finished: readonly { readonly kind: string; readonly runs: number }[],
): readonly Job[] {
  const used = new Set(finished.filter(({ runs }) => runs > 0).map(({ kind }) => kind));
  return jobs.filter(({ kinds }) => !kinds.some((kind) => used.has(kind)));
}
