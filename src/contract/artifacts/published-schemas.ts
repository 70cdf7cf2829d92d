import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { stageShape } from "../stages/parse-stage.ts";
import { ARTIFACTS } from "./artifacts.ts";
import { caseShape, packShape, scenarioShape } from "../scenarios/scenario-shape.ts";
import { type ArtifactName, artifactJsonSchema } from "./write-artifact.ts";

const MANIFESTS = {
  "scenario-manifest": scenarioShape,
  "pack-manifest": packShape,
  "case-manifest": caseShape,
  "stage-manifest": stageShape,
} as const;

/** Every schema that editors and other programs may rely on, by file name. */
export function publishedSchemas(): ReadonlyMap<string, Json> {
  const manifests = Object.entries(MANIFESTS).map(
    ([name, shape]) => [`${name}.schema.json`, manifestSchema(shape)] as const,
  );
  const artifacts = (Object.keys(ARTIFACTS) as ArtifactName[]).map(
    (name) => [name.replace(/\.json$/, ".schema.json"), artifactJsonSchema(name)] as const,
  );
  return new Map([...manifests, ...artifacts]);
}

function manifestSchema(shape: z.ZodType): Json {
  return JSON.parse(JSON.stringify(z.toJSONSchema(shape, { io: "input" }))) as Json;
}
