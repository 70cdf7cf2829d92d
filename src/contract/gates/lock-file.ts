import { type AcceptanceKind, acceptanceKinds } from "../../domain/gates/acceptance.ts";
import { isSettled, reviewDecisions, type Settled } from "../../domain/gates/decision.ts";
import type { PairDigests } from "../../domain/gates/pair-digests.ts";
import type { FiledFinding } from "../../domain/gates/rulings.ts";
import type { AcceptanceSnapshot } from "../../domain/gates/snapshots.ts";
import { type LineProblem, readFields, readLines, renderFields, renderLines } from "./tab-lines.ts";

/** One line of `signoff.lock`: says that a pair was reviewed, for a checkout without a database. */
export interface LockLine extends AcceptanceSnapshot {
  readonly decision: Settled;
  readonly kind: AcceptanceKind;
  readonly format: string;
  /** Absent in lines of earlier versions of this program. */
  readonly digests?: PairDigests;
  /** What the review found, so that dismissals count where the review itself is not at hand. */
  readonly findings: readonly FiledFinding[];
}

export type LockProblem = LineProblem;

export interface ParsedLock {
  readonly lines: readonly LockLine[];
  readonly problems: readonly LockProblem[];
}

/** A pair may have several lines, of several versions or several reviewers; which one counts is decided later. */
export function parseLock(text: string): ParsedLock {
  return readLines(text, parseLine, "a lock file");
}

/** Sorted and without times, so that the same reviews give the same file. `others` are lines to keep as they are. */
export function renderLock(lines: readonly LockLine[], others: readonly string[] = []): string {
  return renderLines([...lines.map(renderLine), ...others]);
}

export function lockKey(line: Pick<LockLine, "notePath" | "gateId" | "modelId">): string {
  return renderFields([line.notePath, line.gateId, line.modelId]);
}

function renderLine(line: LockLine): string {
  const { digests } = line;
  return renderFields([
    ...[line.notePath, line.gateId, line.modelId, line.acceptedNoteSha, line.acceptedGateSha],
    ...[line.decision, line.kind, line.format],
    ...(digests === undefined ? [] : [digests.note, digests.gate, renderFindings(line.findings)]),
  ]);
}

const blobId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const digestForm = /^[0-9a-f]{32}$/;

function parseLine(written: string): LockLine | undefined {
  const fields = readFields(written);
  const [notePath = "", gateId = "", modelId = "", noteSha = "", gateSha = ""] = fields;
  const [decision, kind, format, note, gate, found = ""] = fields.slice(5);
  const settled = readDecision(decision);
  const acceptance = acceptanceKinds.find((known) => known === kind);
  if (settled === undefined || acceptance === undefined || format === undefined) return undefined;
  if (!blobId.test(noteSha) || !blobId.test(gateSha)) return undefined;
  const line = {
    ...{ notePath, gateId, modelId, acceptedNoteSha: noteSha, acceptedGateSha: gateSha },
    ...{ decision: settled, kind: acceptance, format },
  };
  if (fields.length === 8) return { ...line, findings: [] };
  const findings = readFiledFindings(found);
  if (fields.length !== 11 || note === undefined || gate === undefined || findings === undefined)
    return undefined;
  if (!digestForm.test(note) || !digestForm.test(gate)) return undefined;
  return { ...line, digests: { note, gate }, findings };
}

export function readDecision(written: string | undefined): Settled | undefined {
  return reviewDecisions.filter(isSettled).find((known) => known === written);
}

const nothing = "-";

export function renderFindings(findings: readonly FiledFinding[]): string {
  return findings.map(({ severity, anchor }) => `${severity}:${anchor}`).join(",") || nothing;
}

export function readFiledFindings(written: string): readonly FiledFinding[] | undefined {
  if (written === nothing) return [];
  const found = written.split(",").map((one) => /^(warn|fail|error):([0-9a-f]{16})$/.exec(one));
  if (found.includes(null)) return undefined;
  return found.flatMap((one) =>
    one === null ? [] : [{ severity: one[1] as FiledFinding["severity"], anchor: one[2] ?? "" }],
  );
}
