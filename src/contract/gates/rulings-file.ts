import type { Ruling } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { readDecision, readFiledFindings, renderFindings } from "./lock-file.ts";
import { type LineProblem, readFields, readLines, renderFields, renderLines } from "./tab-lines.ts";

/** `signoff.rulings`: what people decided about findings and verdicts, one line each. Lines are only ever added. */
export function parseRulings(text: string): {
  readonly rulings: readonly Ruling[];
  readonly problems: readonly LineProblem[];
} {
  const { lines, problems } = readLines(text, parseLine, "a rulings file");
  return { rulings: lines, problems };
}

export function renderRulings(rulings: readonly Ruling[]): string {
  return renderLines(rulings.map(renderRuling));
}

const nothing = "-";

export function renderRuling(ruling: Ruling): string {
  const { notePath, gateId, kind, noteBlob, gateBlob, at, by, reason } = ruling;
  const about =
    ruling.kind === "dismiss"
      ? [nothing, kind, ruling.anchor, noteBlob, gateBlob, ruling.paragraph, nothing, nothing]
      : [
          ...[ruling.modelId, kind, ruling.decision, noteBlob, gateBlob],
          ...[ruling.digests.note, ruling.digests.gate, renderFindings(ruling.findings)],
        ];
  return renderFields([notePath, gateId, ...about, at, ruling.expires ?? nothing, by, reason]);
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const instantForm = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const digestForm = /^[0-9a-f]{32}$/;

function parseLine(written: string): Ruling | undefined {
  const fields = readFields(written);
  const [notePath = "", gateId = "", modelId = "", kind, subject = ""] = fields;
  const [noteBlob = "", gateBlob = "", note = "", gate = "", found = ""] = fields.slice(5);
  const [at = "", until = "", by = "", reason = ""] = fields.slice(10);
  const hasForm = fields.length === 14 && digestForm.test(note) && instantForm.test(at);
  if (!hasForm || by.trim() === "" || reason.trim() === "") return undefined;
  if (until !== nothing && !day.test(until)) return undefined;
  const expires = until === nothing ? undefined : until;
  const base = { notePath, gateId, noteBlob, gateBlob, at, by, reason, ...defined({ expires }) };
  if (kind === "dismiss")
    return /^[0-9a-f]{16}$/.test(subject)
      ? { ...base, kind, anchor: subject, paragraph: note }
      : undefined;
  const [decision, findings] = [readDecision(subject), readFiledFindings(found)];
  if ((kind !== "override" && kind !== "acknowledge") || !digestForm.test(gate)) return undefined;
  if (decision === undefined || findings === undefined) return undefined;
  return { ...base, kind, modelId, decision, digests: { note, gate }, findings };
}
