import { z } from "zod";
import type { DraftSession } from "../../domain/drafting/session.ts";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../documents/snake-case.ts";
import { instantShape } from "../drafting/values.ts";
import { sessionToJson } from "./draft-session.ts";

const callShape = z.object({
  run: z.string(),
  key: z.string(),
  attempt: z.int(),
  role: z.string().exactOptional(),
  model: z.string(),
  state: z.enum(["started", "replied", "failed", "lost"]),
  startedAt: instantShape,
  seconds: z.number().exactOptional(),
  inputTokens: z.int().exactOptional(),
  outputTokens: z.int().exactOptional(),
  cachedInputTokens: z.int().exactOptional(),
  microUsd: z.int().exactOptional(),
  error: z.unknown().optional(),
});

export interface ExportedRun {
  readonly session: DraftSession;
  readonly calls: readonly Readonly<z.output<typeof callShape>>[];
  /** As `rulingsToJson` writes them. */
  readonly rulings: Json;
}

/** A whole run for other programs: its session, every attempt with its cost, what people did about it. */
export function runExportToJson({ session, calls, rulings }: ExportedRun): Json {
  const told = rulings as { readonly rulings?: Json };
  return {
    version: 1,
    session: sessionToJson(session),
    calls: calls.map((call) => toWire(callShape, call, { absent: "null" })),
    rulings: told.rulings ?? rulings,
  };
}
