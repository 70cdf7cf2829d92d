import type { z } from "zod";
import { storedCandidate } from "./candidate-file.ts";
import { storedEpisodeYaml } from "./episode-yaml.ts";
import { storedLedger } from "./ledger-file.ts";
import { storedIteration, storedProtocolState } from "./protocol-files.ts";
import { storedSelection } from "./provenance-files.ts";
import { storedReview } from "./review-file.ts";
import { storedState } from "./state-file.ts";
import { storedChunkMeta, storedChunkSummary, storedEpisodeSummary } from "./summary-files.ts";

/** Every file of a workspace that other programs may read, by the name of its published schema. */
export const episodeSchemas: { readonly [name: string]: z.ZodType } = {
  "episode-candidate": storedCandidate,
  "episode-chunk": storedChunkMeta,
  "episode-chunk-summary": storedChunkSummary,
  "episode-ledger": storedLedger,
  "episode-protocol-iteration": storedIteration,
  "episode-protocol-state": storedProtocolState,
  "episode-review": storedReview,
  "episode-selection": storedSelection,
  "episode-state": storedState,
  "episode-summary": storedEpisodeSummary,
  "episode-yaml": storedEpisodeYaml,
};
