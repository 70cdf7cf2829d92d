import { z } from "zod";
import type { DraftSession } from "../../domain/drafting/session.ts";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../documents/snake-case.ts";
import { attemptMembers } from "./calls.ts";
import { sessionToJson } from "./draft-session.ts";

const exportedCallShape = z.object({
  run: z.string(),
  ...attemptMembers,
  error: z.unknown().optional(),
});

export interface ExportedRun {
  readonly session: DraftSession;
  readonly calls: readonly Readonly<z.output<typeof exportedCallShape>>[];
  /** As `rulingsToJson` writes them. */
  readonly rulings: Json;
}

/** A whole run for other programs: its session, every attempt with its cost, what people did about it. */
export function runExportToJson({ session, calls, rulings }: ExportedRun): Json {
  const listed = rulings as { readonly rulings?: Json };
  return {
    version: 1,
    session: sessionToJson(session),
    calls: calls.map((call) => toWire(exportedCallShape, call, { absent: "null" })),
    rulings: listed.rulings ?? rulings,
  };
}
