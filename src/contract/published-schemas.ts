import { z } from "zod";
import type { Json } from "../domain/values/json.ts";
import { configShape } from "./config/config-shape.ts";
import { type ArtifactFile, artifactFileShape } from "./documents/artifact-file.ts";
import { wireSchema } from "./documents/snake-case.ts";
import { storedCandidate } from "./episodes/candidate-file.ts";
import { storedEpisodeYaml } from "./episodes/episode-yaml.ts";
import { storedLedger } from "./episodes/ledger-file.ts";
import { storedIteration, storedProtocolState } from "./episodes/protocol-files.ts";
import { storedSelection } from "./episodes/provenance-files.ts";
import { storedReview } from "./episodes/review-file.ts";
import { storedState } from "./episodes/state-file.ts";
import {
  storedChunkMeta,
  storedChunkSummary,
  storedEpisodeSummary,
} from "./episodes/summary-files.ts";
import { episodeReviewShape, episodeStatusShape } from "./http/episodes.ts";
import { ARTIFACTS } from "./scenarios/artifacts.ts";
import { caseShape, packShape, scenarioShape } from "./scenarios/scenario-shape.ts";
import { stageShape } from "./stages/parse-stage.ts";
import { STAGE_ARTIFACTS } from "./stages/stage-artifacts.ts";

/** Files that people or other programs write or read, each by the name of its schema. */
const files: { readonly [name: string]: z.core.$ZodType } = {
  signoff: configShape,
  "scenario-manifest": scenarioShape,
  "pack-manifest": packShape,
  "case-manifest": caseShape,
  "stage-manifest": stageShape,
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
  // What the commands print with --json.
  "episode-review-output": wireSchema(episodeReviewShape),
  "episode-status-output": wireSchema(episodeStatusShape),
};

const titles: { readonly [name: string]: string } = { signoff: "signoff.yaml" };

/** Every schema that editors and other programs may rely on, by file name. */
export function publishedSchemas(): ReadonlyMap<string, Json> {
  const artifacts = Object.entries<ArtifactFile>({ ...ARTIFACTS, ...STAGE_ARTIFACTS }).map(
    ([name, artifact]) => [name.replace(/\.json$/u, ""), artifactFileShape(artifact)] as const,
  );
  const described = [...Object.entries(files), ...artifacts].map(([name, shape]) => {
    const title = titles[name] === undefined ? {} : { title: titles[name] };
    const schema = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
    const json = JSON.parse(JSON.stringify({ ...title, ...schema })) as Json;
    return [`${name}.schema.json`, json] as const;
  });
  return new Map(described);
}
