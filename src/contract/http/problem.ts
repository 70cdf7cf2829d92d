import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";

/** The one shape of every refusal. `code` is stable and meant for programs; it never contains internals. */
export const problemShape = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().exactOptional(),
  requestId: z.string(),
  /** What was wrong with which member of a request, or what prevents a decision. */
  details: z.array(z.string()).exactOptional(),
});

const commandErrorShape = z.object({ error: problemShape.omit({ requestId: true }) });

/** What a command with `--json` prints instead of its document when there is none. */
export function commandErrorToJson(
  error: Frozen<z.output<typeof commandErrorShape>>["error"],
): Json {
  return toWire(commandErrorShape, { error }, { absent: "omit" });
}
