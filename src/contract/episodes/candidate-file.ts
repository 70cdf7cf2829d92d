import { z } from "zod";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import { textFormats } from "../../domain/drafting/candidate.ts";
import { jsonText } from "../documents/json-text.ts";
import { type CamelCaseKeys, snakeCaseKeys } from "../documents/stored-keys.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedIdOf } from "./stored-id.ts";
import {
  storedAssetId,
  storedProvenance,
  storedTimeOrOldest,
  storedUuid,
} from "./stored-values.ts";

/** `copy/candidates/<asset>/candidate_<uuid>.json`, also inside state and protocol files. */
export const storedCandidate = z.strictObject({
  asset_id: storedAssetId,
  candidate_id: storedUuid.nullish(),
  content: z.string(),
  created_at: storedTimeOrOldest,
  format: z.enum(textFormats).default("markdown"),
  provenance: storedProvenance.default([]),
});

export function parseCandidateFile(text: string, file: string): Candidate {
  const named = /candidate_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/iu.exec(file)?.[1];
  return parseJsonFile({ file, text }, storedCandidate, (stored) => {
    const { candidateId = named?.toLowerCase() } = stored;
    return toCandidate(candidateId === undefined ? stored : { ...stored, candidateId });
  });
}

/** The original program gives a candidate an id when it reads one without. */
export function toCandidate(stored: CamelCaseKeys<z.output<typeof storedCandidate>>): Candidate {
  const { candidateId = storedIdOf(stored.assetId, stored.content) } = stored;
  return { ...stored, candidateId };
}

export function renderCandidateFile(candidate: Candidate): string {
  return jsonText(snakeCaseKeys(storedCandidate, candidate));
}
