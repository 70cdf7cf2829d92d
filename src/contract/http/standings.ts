import { z } from "zod";
import { knownDeciders } from "../../domain/evidence/standing.ts";
import { jsonWriter } from "../documents/codec.ts";

const named = {
  kind: z.enum(["draft", "episode-text", "note", "pack-run", "stage"]),
  name: z.string(),
  why: z.string(),
};

export const decidersShape = z.array(z.enum(knownDeciders)).readonly();

export const standingShape = z.discriminatedUnion("accepted", [
  z.object({
    ...named,
    accepted: z.literal(true),
    support: z.enum(["proven", "attested"]),
    deciders: decidersShape,
  }),
  z.object({
    ...named,
    accepted: z.literal(false),
    missing: z.array(z.object({ text: z.string(), command: z.string().exactOptional() })),
  }),
]);

/** What `verify --json` prints: `{ standings }`. */
export const standingsToJson = jsonWriter(z.object({ standings: z.array(standingShape) }), "omit");
