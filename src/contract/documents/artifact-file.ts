import { z } from "zod";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { plainJson } from "./json-text.ts";
import { type Frozen, fromWire, toWire, wireSchema } from "./snake-case.ts";

/** A kind of JSON file that a run leaves; the version is the first key of the file. */
export interface ArtifactFile {
  readonly version: string;
  readonly shape: z.ZodObject;
}

export type ArtifactValueOf<File extends ArtifactFile> = Frozen<z.output<File["shape"]>>;

/** Writes and reads the files of a table by their name. */
export function artifactFiles<Table extends { readonly [name: string]: ArtifactFile }>(
  table: Table,
) {
  return {
    write: <N extends keyof Table & string>(name: N, value: ArtifactValueOf<Table[N]>): string =>
      renderArtifactFile(table[name] as ArtifactFile, value),
    read: <N extends keyof Table & string>(name: N, text: string): ArtifactValueOf<Table[N]> =>
      parseArtifactFile(name, table[name] as ArtifactFile, text) as ArtifactValueOf<Table[N]>,
  };
}

/** UTF-8 without BOM, two spaces, readable letters, one line end at the end. */
function renderArtifactFile({ version, shape }: ArtifactFile, value: unknown): string {
  const body = toWire(shape, shape.parse(value) as never, { absent: "omit" }) as object;
  return plainJson({ schema_version: version, ...body });
}

/** Throws on a file of another version or shape: an artifact that was cut or edited by hand proves nothing. */
function parseArtifactFile(name: string, { version, shape }: ArtifactFile, text: string): unknown {
  try {
    const { schema_version: _, ...body } = z
      .looseObject({ schema_version: z.literal(version) })
      .parse(JSON.parse(text.replace(/^\uFEFF/, "")));
    return fromWire(shape, body);
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
