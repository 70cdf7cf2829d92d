import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { type Frozen, fromWire, toWire, wireSchema } from "../snake-case.ts";
import { ARTIFACTS } from "./artifacts.ts";

export type ArtifactName = keyof typeof ARTIFACTS;
export type ArtifactValue<N extends ArtifactName> = Frozen<
  z.output<(typeof ARTIFACTS)[N]["shape"]>
>;

/** UTF-8 without BOM, two spaces, readable letters, one line end at the end. */
export function writeArtifact<N extends ArtifactName>(name: N, value: ArtifactValue<N>): string {
  const { version, shape } = ARTIFACTS[name];
  const body = toWire(shape, shape.parse(value) as never, { absent: "omit" }) as object;
  return `${JSON.stringify({ schema_version: version, ...body }, null, 2)}\n`;
}

/** Throws on a file of another version or shape: an artifact that was cut or edited by hand proves nothing. */
export function readArtifact<N extends ArtifactName>(name: N, text: string): ArtifactValue<N> {
  const { version, shape } = ARTIFACTS[name];
  try {
    const read = z
      .looseObject({ schema_version: z.literal(version) })
      .parse(JSON.parse(text.replace(/^\uFEFF/, "")));
    const { schema_version: _, ...body } = read;
    return fromWire(shape, body) as ArtifactValue<N>;
  } catch (cause) {
    throw new ConfigurationError(`${name} is not what a run writes: ${whyNot(cause)}.`, {
      code: "artifact-damaged",
      facts: { name },
      cause,
    });
  }
}

function whyNot(cause: unknown): string {
  const [issue] = cause instanceof z.ZodError ? cause.issues : [];
  return issue === undefined ? "it is not JSON" : `${issue.path.join(".")}: ${issue.message}`;
}

export function artifactSchema(name: ArtifactName) {
  const { version, shape } = ARTIFACTS[name];
  const { shape: members } = wireSchema(shape) as z.ZodObject;
  return z.strictObject({ schema_version: z.literal(version), ...members });
}

/** The JSON Schema that is published for an artifact. */
export function artifactJsonSchema(name: ArtifactName): Json {
  return JSON.parse(JSON.stringify(z.toJSONSchema(artifactSchema(name), { io: "input" }))) as Json;
}
