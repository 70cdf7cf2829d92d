import { z } from "zod";
import type { Json } from "../domain/values/json.ts";

/** How an absent optional member is written. Either way, null and absent are both read as absent. */
export interface WireOptions {
  readonly absent: "null" | "omit";
}

type Schema = z.core.$ZodType;

/** Schemas yield mutable types; domain values are readonly all the way down. */
export type Frozen<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Element)[]
    ? readonly Frozen<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: Frozen<T[Name]> }
      : T;

/**
 * The value as it is stored or sent. Only keys that the schema declares are renamed; records, unknowns and
 * strings are the user's and pass untouched.
 */
export function toWire<S extends Schema>(
  schema: S,
  value: Frozen<z.output<S>>,
  options: WireOptions,
): Json {
  wireSchema(schema);
  return rename(schema, value, { to: "wire", absent: options.absent }) as Json;
}

/** The value of what was stored or sent. Throws `z.ZodError` with the names used on the wire. */
export function fromWire<S extends Schema>(schema: S, json: unknown): z.output<S> {
  const checked = z.parse(wireSchema(schema), json);
  return rename(schema, checked, { to: "domain" }) as z.output<S>;
}

/** JSON Schema of the snake_case form. */
export function wireJsonSchema(schema: Schema): Json {
  const described = z.toJSONSchema(wireSchema(schema), { io: "input" });
  return JSON.parse(JSON.stringify(described)) as Json;
}

/** `turnNumber` → `turn_number`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

const wireSchemas = new WeakMap<Schema, Schema>();

function wireSchema(schema: Schema): Schema {
  const known = wireSchemas.get(schema);
  if (known !== undefined) {
    return known;
  }
  const derived = deriveWireSchema(schema);
  wireSchemas.set(schema, derived);
  return derived;
}

function deriveWireSchema(schema: Schema): Schema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return wireObject(def);
    case "array":
      return z.array(wireSchema(def.element));
    case "optional":
      return z.optional(z.nullable(wireSchema(def.innerType)));
    case "nullable":
      return z.nullable(wireSchema(def.innerType));
    case "readonly":
      return wireSchema(def.innerType);
    case "union":
      return z.union(def.options.map(wireSchema));
    case "intersection":
      return z.intersection(wireSchema(def.left), wireSchema(def.right));
    default:
      return opaque(schema);
  }
}

const opaqueTypes: ReadonlySet<string> = new Set(
  "string number boolean null literal enum unknown record template_literal".split(" "),
);

/** A kind of schema that could hide declared keys would be stored unrenamed, so it is refused at once. */
function opaque(schema: Schema): Schema {
  const { type } = schema._zod.def;
  if (!opaqueTypes.has(type)) {
    throw new Error(`A stored shape cannot use a schema of type ${type}.`);
  }
  return schema;
}

function wireObject(def: z.core.$ZodObjectDef): Schema {
  const names = Object.keys(def.shape);
  const renamed = new Set(names.map(snakeCase));
  if (renamed.size !== names.length) {
    throw new Error(`Two keys of one object have the same name on the wire: ${names.join(", ")}`);
  }
  const shape = Object.fromEntries(
    Object.entries(def.shape).map(([name, inner]) => [snakeCase(name), wireSchema(inner)]),
  );
  const object = z.object(shape);
  return def.catchall === undefined ? object : object.catchall(def.catchall);
}

type Direction =
  | { readonly to: "wire"; readonly absent: WireOptions["absent"] }
  | { readonly to: "domain" };

function rename(schema: Schema, value: unknown, direction: Direction): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return renameObject(def, value as Readonly<Record<string, unknown>>, direction);
    case "array":
      return (value as readonly unknown[]).map((each) => rename(def.element, each, direction));
    case "optional":
    case "nullable":
      return value === null ? null : rename(def.innerType, value, direction);
    case "readonly":
      return rename(def.innerType, value, direction);
    case "union":
      return rename(pickOption(def, value, direction), value, direction);
    case "intersection":
      return {
        ...(rename(def.left, value, direction) as object),
        ...(rename(def.right, value, direction) as object),
      };
    default:
      return value;
  }
}

function renameObject(
  def: z.core.$ZodObjectDef,
  value: Readonly<Record<string, unknown>>,
  direction: Direction,
): unknown {
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(def.shape)) {
    const [source, target] =
      direction.to === "wire" ? [name, snakeCase(name)] : [snakeCase(name), name];
    const member = value[source];
    const isAbsent = member === undefined || (member === null && isOptional(inner));
    if (!isAbsent) {
      entries.push([target, rename(inner, member, direction)]);
    } else if (direction.to === "wire" && direction.absent === "null") {
      entries.push([target, null]);
    }
  }
  return Object.fromEntries(entries);
}

function isOptional(schema: Schema): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === "optional";
}

/** The first option the value fits, as zod itself would choose. */
function pickOption(def: z.core.$ZodUnionDef, value: unknown, direction: Direction): Schema {
  const fits = (option: Schema) =>
    z.safeParse(direction.to === "wire" ? option : wireSchema(option), value).success;
  const option = def.options.find(fits);
  if (option === undefined) {
    throw new Error("The value fits no option of its union.");
  }
  return option;
}
