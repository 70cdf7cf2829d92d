import type { CurrentAcceptance, ReviewRepos } from "../../ports/review-repos.ts";

/** One by one, for work that looks at each anyway. */
export function* currentAcceptances({ acceptances }: ReviewRepos): Iterable<CurrentAcceptance> {
  for (const { notePath, gates, noteBlobs, decisions } of acceptances.current())
    for (const [at, gate] of gates.entries()) {
      const [noteBlob, decision] = [noteBlobs[at], decisions[at]];
      if (noteBlob !== undefined && decision !== undefined)
        yield { ...gate, notePath, noteBlob, decision };
    }
}
