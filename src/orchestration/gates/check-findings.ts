import { parseNote } from "../../contract/documents/parse-note.ts";
import type { CiFinding } from "../../contract/gates/ci-report.ts";
import { isFailing, type Settled } from "../../domain/gates/decision.ts";
import type { FindingSeverity } from "../../domain/gates/findings.ts";
import { isDecidedByStandIn } from "../../domain/gates/panel-vote.ts";
import { evaluateRules } from "../../domain/gates/rule-gate.ts";
import type { FiledFinding } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { reasonOf } from "./compute-status.ts";
import type { Patterns } from "./notes-tools.ts";
import { type FindingParts, type NamedFinding, placeFinding } from "./place-finding.ts";
import { noteTextOf } from "./plan-work.ts";
import { adoptMovesCommand } from "./status-report.ts";
import { isClear, type TargetPair } from "./target-pair.ts";

export type CheckRule =
  | "missing-review"
  | "gate-changed"
  | "note-changed"
  | "undecided"
  | "failing"
  | "warning"
  | "stand-in"
  | "lock"
  | "unreadable"
  | "gate-removed"
  | "settings"
  | "moved"
  | "ruling";

export interface CheckFinding extends CiFinding {
  readonly rule: CheckRule;
}

/** A finding about a file. */
export type FileFinding = Omit<CheckFinding, "fingerprint">;

export function aboutFile(note: string, rule: CheckRule, level: CheckFinding["level"]) {
  return { note, gate: "", model: "", rule, level };
}

/** How commands are written: paths as they can be typed, and the flags that name the judge. */
export interface CommandForm {
  readonly showPath: (path: string) => string;
  readonly judgeFlags: string;
}

export interface CheckParts extends CommandForm, FindingParts {
  readonly matches: Patterns["matches"];
  /** Where notes are that were moved without their reviews. */
  readonly movedTo: ReadonlySet<string>;
}

const staleWords = {
  "missing-review": "was never reviewed",
  "gate-changed": "was reviewed against another version of the gate",
  "note-changed": "changed after its review",
  undecided: "was left undecided",
};

/** What `check` says about one pair: nothing, if it is fresh and passes. */
export function pairFindings(parts: CheckParts, pair: TargetPair): readonly CheckFinding[] {
  if (pair.state.kind !== "fresh") return [staleFinding(parts, pair)];
  const { accepted, gate, model } = pair;
  const { settings } = parts.tools;
  if (accepted === undefined) return [];
  if (gate.kind === "rule") return ruleFindings(parts, pair);
  if (isDecidedByStandIn(model, settings.panels) && !settings.allowOffline) {
    const message = `${gate.id}: judged by a rule-based stand-in only (notes.allow_offline is false)`;
    const mend = `Name a model under notes.models in signoff.yaml, then: ${reviewCommand(parts, pair, "")}`;
    return [{ ...named(parts, pair, "stand-in"), level: "error", message, mend }];
  }
  return verdictFindings(parts, pair);
}

function staleFinding(parts: CheckParts, pair: TargetPair): CheckFinding {
  const rule = reasonOf(pair);
  const message = `${pair.gate.id}: the note ${staleWords[rule]}`;
  const isMoved = rule === "missing-review" && parts.movedTo.has(pair.note.path);
  const again = rule === "undecided" ? " --retry-undecided" : "";
  const mend = isMoved
    ? `Take its reviews along: ${adoptMovesCommand}`
    : `Review it: ${reviewCommand(parts, pair, parts.judgeFlags)}${again}`;
  return { ...named(parts, pair, rule), level: "error", message, mend };
}

/** The findings of the review that counts, each as bad as the verdict allows, and the verdict itself if none is. */
function verdictFindings(parts: CheckParts, pair: TargetPair): readonly CheckFinding[] {
  const { gate, accepted } = pair;
  if (accepted === undefined || isClear(accepted)) return [];
  const { decision, says, override } = accepted;
  const found = says === "pass" ? [] : (accepted.findings ?? []);
  const isFailed = isFailing(decision, gate.failLevel);
  const findings = found
    .map((filed) => filedFinding(parts, pair, filed))
    .map((one) => (isFailed || one.suppressed !== undefined ? one : asWarning(one)));
  if (override !== undefined) {
    const said = `${override.by} says ${decision}: ${override.reason}`;
    const ruled = decision === "pass" ? [] : [bareVerdict(parts, pair, decision, said)];
    if (findings.length > 0 || says === "pass") return [...ruled, ...findings];
    const suppressed = `${override.by}: ${override.reason}`;
    return [...ruled, { ...bareVerdict(parts, pair, says, `the review says ${says}`), suppressed }];
  }
  const open = findings.filter(({ suppressed }) => suppressed === undefined);
  const isShown = isFailed ? open.some(({ level }) => level === "error") : open.length > 0;
  if (decision === "pass" || isShown) return findings;
  const where = found.length > 0 ? "" : "; it names no finding";
  return [bareVerdict(parts, pair, decision, `the review says ${decision}${where}`), ...findings];
}

/** A verdict that does not fail has no finding that does. */
function asWarning(finding: CheckFinding): CheckFinding {
  return { ...finding, level: "warning", rule: "warning" };
}

function filedFinding(parts: CheckParts, pair: TargetPair, filed: FiledFinding): CheckFinding {
  const { note, gate, model } = pair;
  const { severity, anchor } = filed;
  const detail = parts.details.of({ notePath: note.path, gateId: gate.id, modelId: model }, filed);
  const message = `a finding of severity ${severity}; its words are in the store where the review was made`;
  const placed = placedFinding(parts, pair, detail ?? { severity, message, anchor });
  if (detail !== undefined) return placed;
  const fingerprint = parts.tools.digest(JSON.stringify([note.path, gate.id, anchor]));
  return { ...placed, fingerprint, mend: overrideHint(parts, pair) };
}

function ruleFindings(parts: CheckParts, pair: TargetPair): readonly CheckFinding[] {
  const { gate, note } = pair;
  const text = parseNote(noteTextOf(parts.tools, note.path));
  const { findings } = evaluateRules(gate.rules, text, parts.matches);
  return findings.map((finding) => placedFinding(parts, pair, finding));
}

function placedFinding(parts: CheckParts, pair: TargetPair, finding: NamedFinding): CheckFinding {
  const { note, gate, accepted } = pair;
  const placed = placeFinding(parts, note.path, gate.id, finding);
  const { severity, message, quote, line, id, dismissal } = placed;
  const ruling = accepted?.override ?? dismissal;
  const suppressed = ruling && `${ruling.by}: ${ruling.reason}`;
  return {
    ...graded(parts, pair, severity),
    message: `${gate.id}: ${message}`,
    fingerprint: id,
    mend: dismissHint(id),
    ...defined({ line, quote, suppressed }),
  };
}

/** `dismiss` asks for the reason. */
export function dismissHint(fingerprint: string): string {
  return `Change the note and review it, or rule that it is no problem: signoff notes dismiss ${fingerprint.slice(0, 10)}`;
}

function bareVerdict(
  parts: CheckParts,
  pair: TargetPair,
  decision: Settled,
  said: string,
): CheckFinding {
  return {
    ...graded(parts, pair, decision),
    message: `${pair.gate.id}: ${said}`,
    mend: overrideHint(parts, pair),
  };
}

function graded(parts: CheckParts, pair: TargetPair, severity: FindingSeverity | Settled) {
  const isError = isFailing(severity === "warn" ? "warn" : "fail", pair.gate.failLevel);
  return isError
    ? ({ ...named(parts, pair, "failing"), level: "error" } as const)
    : ({ ...named(parts, pair, "warning"), level: "warning" } as const);
}

function overrideHint({ showPath, judgeFlags }: CheckParts, { note, gate }: TargetPair): string {
  const pair = quotedPath(`${showPath(note.path)}:${gate.id}`);
  return `Change the note and review it, or rule on it: signoff notes override ${pair} --to pass${judgeFlags}`;
}

function reviewCommand(
  { showPath }: CheckParts,
  { note, gate }: TargetPair,
  flags: string,
): string {
  return `signoff notes review ${quotedPath(showPath(note.path))} --gate ${gate.id}${flags}`;
}

/** As a shell reads it. */
export function quotedPath(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function named({ tools }: CheckParts, { note, gate, model }: TargetPair, rule: CheckRule) {
  const fingerprint = tools.digest(JSON.stringify([note.path, gate.id, model, rule]));
  return { note: note.path, gate: gate.id, model, rule, fingerprint };
}
