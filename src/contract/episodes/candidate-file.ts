import { z } from "zod";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import { jsonText } from "../documents/json-text.ts";
import { snakeCaseKeys } from "../documents/stored-keys.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedAssetId, storedProvenance, storedTime, storedUuid } from "./stored-values.ts";

/** `copy/candidates/<asset>/candidate_<uuid>.json`, also inside state and protocol files. */
export const storedCandidate = z.strictObject({
  asset_id: storedAssetId,
  candidate_id: storedUuid,
  content: z.string(),
  created_at: storedTime,
  format: z.enum(["markdown", "plain", "html"]).default("markdown"),
  provenance: storedProvenance.default([]),
});

export function parseCandidateFile(text: string, file: string): Candidate {
  return parseJsonFile({ file, text }, storedCandidate, (candidate) => candidate);
}

export function renderCandidateFile(candidate: Candidate): string {
  return jsonText(snakeCaseKeys(storedCandidate, candidate));
}
