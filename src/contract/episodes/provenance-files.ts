import { z } from "zod";
import { textFormats } from "../../domain/drafting/candidate.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { pathSegment } from "../../domain/episodes/path-segment.ts";
import type { SelectionRecord } from "../../domain/episodes/selection-record.ts";
import { type Digest, digest } from "../../domain/values/digest.ts";
import type { Json } from "../../domain/values/json.ts";
import { jsonText } from "../documents/json-text.ts";
import { snakeCaseKeys } from "../documents/stored-keys.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedAssetId, storedTime } from "./stored-values.ts";

/** A prompt as it was sent; candidates and reviews refer to it by its id. */
export interface StoredPrompt {
  readonly template: string;
  readonly text: string;
  readonly context: { readonly [name: string]: Json };
}

/** The same prompt has the same id, so a replay writes the same file. */
export function promptId(prompt: StoredPrompt, sha256: (text: string) => Digest): string {
  return `${pathSegment(prompt.template)}_${sha256(`${prompt.template}\n${prompt.text}`).slice(0, 12)}`;
}

/** `copy/provenance/prompts/<prompt_id>.json`. */
export function renderPromptRecord(prompt: StoredPrompt, id: string): string {
  return jsonText({
    context: prompt.context,
    few_shots: [],
    glossary: [],
    prompt_id: id,
    prompt_text: prompt.text,
    template: prompt.template,
    version: 1,
  });
}

export const storedSelection = z.strictObject({
  asset_id: storedAssetId,
  at: storedTime,
  by: z.string(),
  candidate_id: z.string().nullish(),
  format: z.enum(textFormats),
  made_by: z.enum(["person", "loop"]),
  reason: z.string().nullish(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  version: z.literal(1),
});

/** `copy/provenance/selections/<asset>.json`, ours. */
export function selectionRecordPath(assetId: string): string {
  return layout.provenance("selections", assetId);
}

export function parseSelectionRecord(text: string, file: string): SelectionRecord {
  return parseJsonFile({ file, text }, storedSelection, ({ version: _, ...stored }) => ({
    ...stored,
    sha256: digest(stored.sha256),
  }));
}

export function renderSelectionRecord(record: SelectionRecord): string {
  return jsonText(snakeCaseKeys(storedSelection, { ...record, version: 1 }));
}
