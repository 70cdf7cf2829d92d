import type { z } from "zod";

type Schema = z.core.$ZodType;

/** What stands at a place of a shape: its schema, the names allowed below it, and where a wrong name stood. */
export type SchemaAt =
  | { readonly kind: "found"; readonly schema: z.core.$ZodTypes }
  | { readonly kind: "unknown"; readonly name: string; readonly known: readonly string[] };

export function schemaAt(shape: Schema, path: readonly PropertyKey[]): SchemaAt {
  let schema = bare(shape);
  for (const part of path) {
    const next = below(schema, part);
    if (next === undefined) {
      return { kind: "unknown", name: String(part), known: namesBelow(schema) };
    }
    schema = bare(next);
  }
  return { kind: "found", schema };
}

/** The names a shape states itself; none where the user chooses them. */
export function namesBelow(schema: Schema): readonly string[] {
  const { def } = bare(schema)._zod;
  return def.type === "object" ? Object.keys(def.shape) : [];
}

export function bare(schema: Schema): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" ? bare(def.innerType) : (schema as z.core.$ZodTypes);
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
