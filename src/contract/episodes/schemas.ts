import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { episodeReviewShape, episodeStatusShape } from "../http/episodes.ts";
import { wireJsonSchema } from "../snake-case.ts";
import { storedCandidate } from "./candidate-file.ts";
import { storedEpisodeYaml } from "./episode-yaml.ts";
import { storedLedger } from "./ledger-file.ts";
import { storedIteration, storedProtocolState } from "./protocol-files.ts";
import { storedSelection } from "./provenance-files.ts";
import { storedReview } from "./review-file.ts";
import { storedState } from "./state-file.ts";
import { storedChunkMeta, storedChunkSummary, storedEpisodeSummary } from "./summary-files.ts";

/** Every file of a workspace that other programs may read, by the name of its published schema. */
const episodeSchemas: { readonly [name: string]: z.ZodType } = {
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

/** The published schemas: the files above, and what `episode status` and `episode review` print with `--json`. */
export function episodeJsonSchemas(): { readonly [name: string]: Json } {
  const files = Object.entries(episodeSchemas).map(([name, shape]) => {
    const described = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
    return [name, JSON.parse(JSON.stringify(described)) as Json] as const;
  });
  return {
    ...Object.fromEntries(files),
    "episode-review-output": wireJsonSchema(episodeReviewShape),
    "episode-status-output": wireJsonSchema(episodeStatusShape),
  };
}
