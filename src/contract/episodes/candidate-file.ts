import { z } from "zod";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import { jsonText } from "../documents/json-text.ts";
import { parseJsonFile } from "./json-file.ts";
import {
  fromProvenance,
  storedAssetId,
  storedProvenance,
  storedTime,
  storedUuid,
  toProvenance,
} from "./stored-values.ts";

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
  return parseJsonFile(text, file, { shape: storedCandidate, toValue: toCandidate });
}

export function renderCandidateFile(candidate: Candidate): string {
  return jsonText(fromCandidate(candidate));
}

export function toCandidate(stored: z.output<typeof storedCandidate>): Candidate {
  return {
    candidateId: stored.candidate_id,
    assetId: stored.asset_id,
    format: stored.format,
    content: stored.content,
    createdAt: stored.created_at,
    provenance: toProvenance(stored.provenance),
  };
}

export function fromCandidate(candidate: Candidate): object {
  return {
    asset_id: candidate.assetId,
    candidate_id: candidate.candidateId,
    content: candidate.content,
    created_at: candidate.createdAt,
    format: candidate.format,
    provenance: fromProvenance(candidate.provenance),
  };
}
