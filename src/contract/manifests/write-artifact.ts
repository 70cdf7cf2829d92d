import { z } from "zod";
import { ARTIFACTS } from "./artifacts.ts";
import { fromSnake, snakeSchema, toSnake } from "./snake-case.ts";

export type ArtifactName = keyof typeof ARTIFACTS;
export type ArtifactValue<N extends ArtifactName> = z.output<(typeof ARTIFACTS)[N]["shape"]>;

/** UTF-8 without BOM, two spaces, readable letters, one line end at the end. */
export function writeArtifact<N extends ArtifactName>(
  name: N,
  value: z.input<(typeof ARTIFACTS)[N]["shape"]>,
): string {
  const { version, shape } = ARTIFACTS[name];
  const body = toSnake(shape, shape.parse(value)) as object;
  return `${JSON.stringify({ schema_version: version, ...body }, null, 2)}\n`;
}

/** Throws on a file of another version or shape: an artifact that was edited by hand proves nothing. */
export function readArtifact<N extends ArtifactName>(name: N, text: string): ArtifactValue<N> {
  const { schema_version: _, ...body } = artifactSchema(name).parse(
    JSON.parse(text.replace(/^\uFEFF/, "")),
  );
  const { shape } = ARTIFACTS[name];
  return shape.parse(fromSnake(shape, body)) as ArtifactValue<N>;
}

export function artifactSchema(name: ArtifactName) {
  const { version, shape } = ARTIFACTS[name];
  const { shape: members } = snakeSchema(shape) as z.ZodObject;
  return z.strictObject({ schema_version: z.literal(version), ...members });
}
