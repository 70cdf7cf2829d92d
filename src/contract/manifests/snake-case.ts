import { z } from "zod";

/** Only declared names are renamed: records and opaque values are user data and stay as they are. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

interface Def {
  readonly type: string;
  readonly shape?: { readonly [name: string]: z.ZodType };
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
}

/** The schema of the same shape with its declared keys in snake_case, for files and JSON Schema. */
export function snakeSchema(schema: z.ZodType): z.ZodType {
  const { type, shape, element, innerType } = defOf(schema);
  if (type === "object" && shape !== undefined) {
    const members = Object.entries(shape).map(([name, member]) => [
      snakeCase(name),
      snakeSchema(member),
    ]);
    return z.strictObject(Object.fromEntries(members));
  }
  if (type === "array" && element !== undefined) {
    return z.array(snakeSchema(element));
  }
  if (type === "optional" && innerType !== undefined) {
    return snakeSchema(innerType).optional();
  }
  return schema;
}

export function toSnake(schema: z.ZodType, value: unknown): unknown {
  return rename(schema, value, (name) => [name, snakeCase(name)]);
}

export function fromSnake(schema: z.ZodType, value: unknown): unknown {
  return rename(schema, value, (name) => [snakeCase(name), name]);
}

function rename(
  schema: z.ZodType,
  value: unknown,
  names: (declared: string) => readonly [from: string, to: string],
): unknown {
  const { type, shape, element, innerType } = defOf(schema);
  if (type === "object" && shape !== undefined && typeof value === "object" && value !== null) {
    const members = Object.entries(shape).flatMap(([declared, member]) => {
      const [from, to] = names(declared);
      const present = Object.hasOwn(value, from)
        ? (value as { [name: string]: unknown })[from]
        : undefined;
      return present === undefined ? [] : [[to, rename(member, present, names)] as const];
    });
    return Object.fromEntries(members);
  }
  if (type === "array" && element !== undefined && Array.isArray(value)) {
    return value.map((one) => rename(element, one, names));
  }
  return innerType === undefined ? value : rename(innerType, value, names);
}

function defOf(schema: z.ZodType): Def {
  return schema.def as unknown as Def;
}
