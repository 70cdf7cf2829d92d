import type { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { bare } from "./schema-path.ts";
import { snakeCase } from "./snake-case.ts";

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type IsNullish<T> = unknown extends T ? false : null extends T ? true : false;

/** Data of others, which has no names of ours. */
type IsAnyJson<T> = string extends keyof T ? (Json extends T[keyof T] ? true : false) : false;

/** A stored value with the names used in here; what may be `null` on disk is absent instead. */
export type CamelCaseKeys<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly unknown[]
    ? { readonly [At in keyof T]: CamelCaseKeys<T[At]> }
    : IsAnyJson<T> extends true
      ? T
      : T extends object
        ? {
            readonly [Name in keyof T as IsNullish<T[Name]> extends true
              ? never
              : CamelCase<Name>]: CamelCaseKeys<T[Name]>;
          } & {
            readonly [Name in keyof T as IsNullish<T[Name]> extends true
              ? CamelCase<Name>
              : never]?: CamelCaseKeys<NonNullable<T[Name]>>;
          }
        : T;

/** Renames the keys that a shape declares; names that users choose (of servers, commands, headers) stay theirs. */
export function camelCaseKeys<S extends z.ZodType>(
  shape: S,
  value: z.output<S>,
): CamelCaseKeys<z.output<S>> {
  return renamed(shape, value, fromDisk) as CamelCaseKeys<z.output<S>>;
}

/** The other way: every key that the shape declares, `null` for what is absent. */
export function snakeCaseKeys<S extends z.ZodType>(
  shape: S,
  value: CamelCaseKeys<z.output<S>>,
): object {
  return renamed(shape, value, toDisk) as object;
}

type Members = (
  shape: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
) => readonly (readonly [string, unknown])[];

const fromDisk: Members = (shape, value) =>
  Object.entries(value)
    .filter(([name, member]) => member !== null || !isNullish(shape[name]))
    .map(([name, member]) => [
      name.replace(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase()),
      shape[name] === undefined ? member : renamed(shape[name], member, fromDisk),
    ]);

const toDisk: Members = (shape, value) => {
  const members = new Map(Object.entries(value).map(([name, of]) => [snakeCase(name), of]));
  return Object.entries(shape).map(([name, inner]) => {
    const member = members.get(name) ?? null;
    return [name, member === null ? null : renamed(inner, member, toDisk)];
  });
};

function renamed(schema: z.core.$ZodType, value: unknown, membersOf: Members): unknown {
  const { def } = bare(schema)._zod;
  if (value === null || value === undefined) return value;
  switch (def.type) {
    case "object":
      return Object.fromEntries(membersOf(def.shape, value as Record<string, unknown>));
    case "record":
      return Object.fromEntries(
        Object.entries(value).map(([name, of]) => [name, renamed(def.valueType, of, membersOf)]),
      );
    case "array":
      return (value as readonly unknown[]).map((each) => renamed(def.element, each, membersOf));
    default:
      return value;
  }
}

function isNullish(schema: z.core.$ZodType | undefined): boolean {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
  return (
    def?.type === "optional" && (def.innerType as z.core.$ZodTypes)._zod.def.type === "nullable"
  );
}
