import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
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
    decode: (json) => fromStored(shape, json) as Frozen<z.output<S>>,
  };
}

/** The value that was stored. Throws `store-damaged` where something else is there. */
export function fromStored<S extends z.core.$ZodType>(shape: S, json: Json): z.output<S> {
  try {
    return fromWire(shape, json);
  } catch (cause) {
    throw cause instanceof z.ZodError ? unreadable(cause) : cause;
  }
}

/** What this program stored has its shape, so something else has written there. */
function unreadable(cause: z.ZodError): WorkflowError {
  const place = cause.issues[0]?.path.join(".") ?? "";
  return new WorkflowError(`the store is damaged: ${place || "a value"} is not what was stored`, {
    code: "store-damaged",
    hint: "Restore a backup with `signoff store restore`.",
    cause,
  });
}

/** Writes values of one shape as `--json` and the API show them. */
export function jsonWriter<S extends z.core.$ZodType>(
  shape: S,
  absent: "null" | "omit",
): (value: Frozen<z.output<S>>) => Json {
  return (value) => toWire(shape, value, { absent });
}
