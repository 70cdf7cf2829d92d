import type { z } from "zod";

type Schema = z.core.$ZodType;

/** What a shape has at a path: the schema, or the first name that it does not know. */
export type SchemaAt =
  | { readonly kind: "found"; readonly schema: z.core.$ZodTypes }
  | { readonly kind: "unknown"; readonly name: string; readonly known: readonly string[] };

export function schemaAt(shape: Schema, path: readonly PropertyKey[]): SchemaAt {
  let schema = bare(shape);
  for (const part of path) {
    const next = below(schema, part);
    if (next === undefined) {
      return { kind: "unknown", name: String(part), known: namesAt(schema, []) };
    }
    schema = bare(next);
  }
  return { kind: "found", schema };
}

/** The names a shape declares at a path, of all forms it allows there; none where the user chooses the names. */
export function namesAt(shape: Schema, path: readonly PropertyKey[]): readonly string[] {
  const schema = bare(shape);
  const { def } = schema._zod;
  if (def.type === "union") return def.options.flatMap((option) => namesAt(option, path));
  const [head, ...rest] = path;
  if (head === undefined) return def.type === "object" ? Object.keys(def.shape) : [];
  const next = below(schema, head);
  return next === undefined ? [] : namesAt(next, rest);
}

/** Without what only says that it may be absent or is transformed afterwards. */
export function bare(schema: Schema): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return bare(def.innerType);
    case "pipe":
      return bare(def.in);
    default:
      return schema as z.core.$ZodTypes;
  }
}

function below(schema: z.core.$ZodTypes, part: PropertyKey): Schema | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case "object":
      return Object.hasOwn(def.shape, part) ? def.shape[String(part)] : undefined;
    case "record":
      return def.valueType;
    case "array":
      return def.element;
    case "tuple":
      return def.items[Number(part)] ?? def.rest ?? undefined;
    default:
      return undefined;
  }
}
