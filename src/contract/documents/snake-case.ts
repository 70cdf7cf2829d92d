import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";

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
  return renamer(schema, options.absent === "null" ? "wire-with-null" : "wire")(value) as Json;
}

/** The value of what was stored or sent. Throws `z.ZodError` with the names used on the wire. */
export function fromWire<S extends Schema>(schema: S, json: unknown): z.output<S> {
  const checked = z.parse(wireSchema(schema), json, interpreted);
  return renamer(schema, "domain")(checked) as z.output<S>;
}

/** The code that zod would generate for a shape costs more than the few values that most processes read. */
const interpreted = { jitless: true };

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

/** The schema of the snake_case form. */
export function wireSchema(schema: Schema): Schema {
  const known = wireSchemas.get(schema);
  if (known !== undefined) return known;
  const derived = withChecks(schema, deriveWireSchema(schema));
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
      return wireUnion(def);
    case "intersection":
      return z.intersection(wireSchema(def.left), wireSchema(def.right));
    default:
      return opaque(schema);
  }
}

/** Bounds of lists hold for either form; other checks see the value as the shape names it. */
function withChecks(schema: Schema, derived: Schema): Schema {
  const { checks = [] } = schema._zod.def;
  if (derived === schema || checks.length === 0) return derived;
  const onWire = checks.map((check) =>
    check._zod.def.check.includes("length")
      ? check
      : (payload: z.core.ParsePayload<never>) => {
          const value = renamer(schema, "domain")(payload.value) as never;
          return check._zod.check({ value, issues: payload.issues });
        },
  );
  return (derived as z.ZodType<never>).check(...onWire);
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

/** A tag spares the check of every option that it rules out. */
function wireUnion(def: z.core.$ZodUnionDef): Schema {
  const options = def.options.map(wireSchema);
  const tagged = optionsByTag(def);
  return tagged === undefined
    ? z.union(options)
    : z.discriminatedUnion(
        snakeCase(tagged.tag),
        options as unknown as [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
      );
}

function wireObject(def: z.core.$ZodObjectDef): Schema {
  const shape = Object.fromEntries(
    wireNames(def).map(([name, wireName]) => [wireName, wireSchema(def.shape[name] as Schema)]),
  );
  const object = z.object(shape);
  return def.catchall === undefined ? object : object.catchall(def.catchall);
}

/** Each declared key with its name on the wire. */
function wireNames({ shape }: z.core.$ZodObjectDef): readonly (readonly [string, string])[] {
  const names = Object.keys(shape).map((name) => [name, snakeCase(name)] as const);
  if (new Set(names.map(([, wireName]) => wireName)).size !== names.length) {
    const declared = Object.keys(shape).join(", ");
    throw new Error(`Two keys of one object have the same name on the wire: ${declared}`);
  }
  return names;
}

type Direction = "wire" | "wire-with-null" | "domain";
type Rename = (value: unknown) => unknown;

const asItIs: Rename = (value) => value;

const renamers: { readonly [direction in Direction]: WeakMap<Schema, Rename> } = {
  wire: new WeakMap(),
  "wire-with-null": new WeakMap(),
  domain: new WeakMap(),
};

/** A schema is walked once; its values, of which every event of every loop is one, take the way found then. */
function renamer(schema: Schema, direction: Direction): Rename {
  const known = renamers[direction].get(schema);
  if (known !== undefined) return known;
  const made = makeRenamer(schema, direction);
  renamers[direction].set(schema, made);
  return made;
}

function makeRenamer(schema: Schema, direction: Direction): Rename {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return objectRenamer(def, direction);
    case "array":
      return arrayRenamer(renamer(def.element, direction));
    case "optional":
    case "nullable":
      return nullableRenamer(renamer(def.innerType, direction));
    case "readonly":
      return renamer(def.innerType, direction);
    case "union":
      return unionRenamer(def, direction);
    case "intersection":
      return intersectionRenamer(renamer(def.left, direction), renamer(def.right, direction));
    default:
      opaque(schema);
      return asItIs;
  }
}

function objectRenamer(def: z.core.$ZodObjectDef, direction: Direction): Rename {
  const members = wireNames(def).map(([name, wireName]) => {
    const inner = def.shape[name] as Schema;
    const [source, target] = direction === "domain" ? [wireName, name] : [name, wireName];
    return { source, target, isOptional: isOptional(inner), rename: renamer(inner, direction) };
  });
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    const renamed: Record<string, unknown> = {};
    for (const { source, target, isOptional, rename } of members) {
      const member = given[source];
      if (member !== undefined && (member !== null || !isOptional)) {
        renamed[target] = rename(member);
      } else if (direction === "wire-with-null") {
        renamed[target] = null;
      }
    }
    return renamed;
  };
}

function arrayRenamer(rename: Rename): Rename {
  return rename === asItIs ? asItIs : (value) => (value as readonly unknown[]).map(rename);
}

function nullableRenamer(rename: Rename): Rename {
  return rename === asItIs ? asItIs : (value) => (value === null ? null : rename(value));
}

function intersectionRenamer(left: Rename, right: Rename): Rename {
  return (value) => ({ ...(left(value) as object), ...(right(value) as object) });
}

function isOptional(schema: Schema): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === "optional";
}

/** The first option the value fits, as zod itself would choose; a discriminator is trusted. */
function unionRenamer(def: z.core.$ZodUnionDef, direction: Direction): Rename {
  const tagged = optionsByTag(def);
  const tag = tagged === undefined ? "" : wireOrOwn(tagged.tag, direction);
  const options = def.options.map((option) => {
    const shape = direction === "domain" ? wireSchema(option) : option;
    const fits = (value: unknown): boolean => z.safeParse(shape, value, interpreted).success;
    return { fits, rename: renamer(option, direction) };
  });
  return (value) => {
    const at = tagged?.places.get((value as Readonly<Record<string, unknown>>)[tag]);
    const option =
      tagged === undefined ? options.find(({ fits }) => fits(value)) : options[at ?? -1];
    if (option === undefined) throw new Error("The value fits no option of its union.");
    return option.rename(value);
  };
}

function wireOrOwn(name: string, direction: Direction): string {
  return direction === "domain" ? snakeCase(name) : name;
}

/** Which option each value of the tag names; undefined where the union has no tag. */
function optionsByTag(
  def: z.core.$ZodUnionDef,
): { readonly tag: string; readonly places: ReadonlyMap<unknown, number> } | undefined {
  if (!("discriminator" in def) || typeof def.discriminator !== "string") return undefined;
  const tag = def.discriminator;
  const places = new Map<unknown, number>();
  for (const [at, option] of def.options.entries()) {
    const values = option._zod.propValues?.[tag];
    if (values === undefined) return undefined;
    for (const value of values) places.set(value, at);
  }
  return { tag, places };
}
