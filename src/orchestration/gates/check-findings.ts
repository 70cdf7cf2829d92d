import { parseNote } from "../../contract/documents/parse-note.ts";
import type { CiFinding } from "../../contract/gates/ci-report.ts";
import { isFailing, type Settled } from "../../domain/gates/decision.ts";
import { fingerprintFinding, lineOfQuote, type NoteFinding } from "../../domain/gates/findings.ts";
import { isDecidedByStandIn } from "../../domain/gates/panel-vote.ts";
import { evaluateRules } from "../../domain/gates/rule-gate.ts";
import type { FiledFinding, Ruling } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { reasonOf } from "./compute-status.ts";
import type { FindingDetails } from "./finding-details.ts";
import type { NotesTools, Patterns } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import type { HoldingDismissals } from "./rulings.ts";
import { adoptMovesCommand } from "./status-report.ts";
import type { TargetPair } from "./target-pair.ts";

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

export interface CheckParts extends CommandForm {
  readonly tools: NotesTools;
  readonly matches: Patterns["matches"];
  readonly dismissals: HoldingDismissals;
  readonly details: FindingDetails;
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
  if (accepted === undefined || (accepted.says === "pass" && accepted.decision === "pass"))
    return [];
  const { decision, says, override } = accepted;
  const found = says === "pass" ? [] : (accepted.findings ?? []);
  const isFailed = isFailing(decision, gate.failLevel);
  const findings = found
    .map((filed) => filedFinding(parts, pair, filed))
    .map((one) => (isFailed || one.suppressed !== undefined ? one : asWarning(one)));
  const counts = (word: Settled): number =>
    word === "pass" ? 0 : isFailing(word, gate.failLevel) ? 2 : 1;
  const shown = findings.filter(({ suppressed }) => suppressed === undefined);
  const worst = Math.max(0, ...shown.map(({ level }) => (level === "error" ? 2 : 1)));
  if (override !== undefined) {
    const said = `${override.by} says ${decision}: ${override.reason}`;
    const ruled = decision === "pass" ? [] : [bareVerdict(parts, pair, decision, said)];
    if (findings.length > 0 || says === "pass") return [...ruled, ...findings];
    const suppressed = `${override.by}: ${override.reason}`;
    return [...ruled, { ...bareVerdict(parts, pair, says, `the review says ${says}`), suppressed }];
  }
  if (worst >= counts(decision)) return findings;
  const where = found.length > 0 ? "" : "; it names no finding";
  return [bareVerdict(parts, pair, decision, `the review says ${decision}${where}`), ...findings];
}

/** A verdict that does not fail has no finding that does. */
function asWarning(finding: CheckFinding): CheckFinding {
  return { ...finding, level: "warning", rule: "warning" };
}

function filedFinding(parts: CheckParts, pair: TargetPair, filed: FiledFinding): CheckFinding {
  const { note, gate, model, accepted } = pair;
  const name = { notePath: note.path, gateId: gate.id, modelId: model };
  const detail = parts.details.of(name, filed);
  const finding: NoteFinding = detail ?? {
    severity: filed.severity,
    message: `a finding of severity ${filed.severity}; its words are in the store where the review was made`,
  };
  const ruling =
    accepted?.override ??
    parts.dismissals.of(note.path, gate.id).find((one) => one.anchor === filed.anchor);
  const placed = placeFinding(parts, pair, { finding, ruling });
  if (detail !== undefined) return placed;
  const fingerprint = parts.tools.digest(JSON.stringify([note.path, gate.id, filed.anchor]));
  return { ...placed, fingerprint, mend: overrideHint(parts, pair) };
}

function ruleFindings(parts: CheckParts, pair: TargetPair): readonly CheckFinding[] {
  const { gate, note, accepted } = pair;
  const { tools, matches } = parts;
  const { findings } = evaluateRules(gate.rules, parseNote(noteTextOf(tools, note.path)), matches);
  const dismissed = parts.dismissals.of(note.path, gate.id);
  return findings.map((finding) => {
    const name = { gateId: gate.id, notePath: note.path, finding };
    const { anchor } = fingerprintFinding(name, tools.digest);
    const ruling = accepted?.override ?? dismissed.find((one) => one.anchor === anchor);
    return placeFinding(parts, pair, { finding, ruling });
  });
}

/** A finding at the line where its words are now. */
function placeFinding(
  parts: CheckParts,
  pair: TargetPair,
  { finding, ruling }: { readonly finding: NoteFinding; readonly ruling: Ruling | undefined },
): CheckFinding {
  const { note, gate } = pair;
  const { severity, message, quote } = finding;
  const decision = severity === "warn" ? "warn" : "fail";
  const isError = isFailing(decision, gate.failLevel);
  const quoted =
    quote === undefined ? undefined : lineOfQuote(noteTextOf(parts.tools, note.path), quote);
  const print = fingerprintFinding(
    { gateId: gate.id, notePath: note.path, finding },
    parts.tools.digest,
  );
  const suppressed = ruling && `${ruling.by}: ${ruling.reason}`;
  return {
    ...named(parts, pair, isError ? "failing" : "warning"),
    level: isError ? "error" : "warning",
    message: `${gate.id}: ${message}`,
    fingerprint: print.id,
    mend: dismissHint(print.id),
    ...defined({ line: quoted ?? finding.line, quote, suppressed }),
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
  const isError = isFailing(decision, pair.gate.failLevel);
  return {
    ...named(parts, pair, isError ? "failing" : "warning"),
    level: isError ? "error" : "warning",
    message: `${pair.gate.id}: ${said}`,
    mend: overrideHint(parts, pair),
  };
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
