import type { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { type Frozen, fromWire, toWire } from "./snake-case.ts";

/** Writes and reads values of one shape as stores keep them; absent members are omitted. */
export function codec<S extends z.core.$ZodType>(
  shape: S,
): {
  readonly encode: (value: Frozen<z.output<S>>) => Json;
  readonly decode: (json: Json) => Frozen<z.output<S>>;
} {
  return {
    encode: (value) => toWire(shape, value, { absent: "omit" }),
    decode: (json) => fromWire(shape, json) as Frozen<z.output<S>>,
  };
}

/** Writes values of one shape as `--json` and the API show them. */
export function jsonWriter<S extends z.core.$ZodType>(
  shape: S,
  absent: "null" | "omit",
): (value: Frozen<z.output<S>>) => Json {
  return (value) => toWire(shape, value, { absent });
}
