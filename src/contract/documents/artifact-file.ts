import { z } from "zod";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { type Frozen, fromWire, toWire, wireSchema } from "./snake-case.ts";

/** A kind of JSON file that a run leaves; the version is the first key of the file. */
export interface ArtifactFile<S extends z.ZodObject = z.ZodObject> {
  readonly version: string;
  readonly shape: S;
}

/** UTF-8 without BOM, two spaces, readable letters, one line end at the end. */
export function renderArtifactFile<S extends z.ZodObject>(
  { version, shape }: ArtifactFile<S>,
  value: Frozen<z.output<S>>,
): string {
  const body = toWire(shape, shape.parse(value) as never, { absent: "omit" }) as object;
  return `${JSON.stringify({ schema_version: version, ...body }, null, 2)}\n`;
}

/** Throws on a file of another version or shape: an artifact that was cut or edited by hand proves nothing. */
export function parseArtifactFile<S extends z.ZodObject>(
  name: string,
  { version, shape }: ArtifactFile<S>,
  text: string,
): Frozen<z.output<S>> {
  try {
    const { schema_version: _, ...body } = z
      .looseObject({ schema_version: z.literal(version) })
      .parse(JSON.parse(text.replace(/^\uFEFF/, "")));
    return fromWire(shape, body) as Frozen<z.output<S>>;
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

/** The shape of the file as it is on disk. */
export function artifactFileShape({ version, shape }: ArtifactFile) {
  const { shape: members } = wireSchema(shape) as z.ZodObject;
  return z.strictObject({ schema_version: z.literal(version), ...members });
}
