import type { z } from "zod";
import { bare } from "../documents/schema-path.ts";

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type CamelCaseKeys<T> = T extends readonly unknown[]
  ? { readonly [At in keyof T]: CamelCaseKeys<T[At]> }
  : T extends object
    ? { readonly [Name in keyof T as CamelCase<Name>]: CamelCaseKeys<T[Name]> }
    : T;

/** Renames the keys that a shape states; names that users choose (of servers, commands, headers) stay theirs. */
export function camelCaseKeys<S extends z.ZodType>(
  shape: S,
  value: z.output<S>,
): CamelCaseKeys<z.output<S>> {
  return renamed(shape, value) as CamelCaseKeys<z.output<S>>;
}

function renamed(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = bare(schema)._zod;
  switch (def.type) {
    case "object":
      return mapped(value, (name, member) => {
        const inner = def.shape[name];
        return [camelCase(name), inner === undefined ? member : renamed(inner, member)];
      });
    case "record":
      return mapped(value, (name, member) => [name, renamed(def.valueType, member)]);
    case "array":
      return (value as readonly unknown[]).map((each) => renamed(def.element, each));
    default:
      return value;
  }
}

function mapped(value: unknown, each: (name: string, member: unknown) => [string, unknown]) {
  return Object.fromEntries(Object.entries(value as object).map(([name, of]) => each(name, of)));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}
