import { parseNote } from "../../contract/documents/parse-note.ts";
import { type LockProblem, parseLock } from "../../contract/gates/lock-file.ts";
import { isFailing, type Settled } from "../../domain/gates/decision.ts";
import { fingerprintFinding } from "../../domain/gates/findings.ts";
import { isDecidedByStandIn } from "../../domain/gates/panel-vote.ts";
import { evaluateRules } from "../../domain/gates/rule-gate.ts";
import type { Ruling } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { ChangesSince } from "./changes-since.ts";
import { reasonOf } from "./compute-status.ts";
import { loadWorld, type NotesScope, type NotesWorld } from "./load-world.ts";
import type { NotesTools, Patterns } from "./notes-tools.ts";
import { textOf } from "./plan-work.ts";
import { HoldingDismissals, loadRulings } from "./rulings.ts";
import { rulingsPath } from "./rulings-path.ts";
import { type NoteProblem, selectAllPairs } from "./select-pairs.ts";
import type { TargetPair } from "./target-pair.ts";

export interface CheckFinding {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  /** What is wrong with the pair: a reason of staleness, `failing` or `stand-in`. */
  readonly rule: CheckRule;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly line?: number;
  /** The ruling by which it does not count. */
  readonly suppressed?: string;
}

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
  | "ruling";

export interface NotesCheck {
  readonly passed: boolean;
  /** The lock attests; nothing here is derived from replies. */
  readonly support: "attested";
  readonly pairs: number;
  readonly stale: number;
  readonly failing: number;
  readonly findings: readonly CheckFinding[];
  /** What could not be read, so that the check does not cover it. */
  readonly problems: readonly NoteProblem[];
}

/**
 * What lock and rulings say about the present texts, without a model or a database. Rule gates are evaluated again,
 * because that costs nothing. Every pair that applies is covered, or what could not be read is named.
 */
export async function checkNotes(
  tools: NotesTools,
  request: NotesScope & { readonly models: readonly string[] },
): Promise<NotesCheck> {
  const world = await loadWorld(tools, request);
  refuseNothing(tools, world);
  const { models } = request;
  const selection = await selectAllPairs(tools, world, { models, lockOnly: true, readAll: true });
  const stale = selection.stale.map(staleFinding);
  const rulings = await loadRulings(tools);
  const dismissals = new HoldingDismissals(tools, rulings);
  const checking = { ...tools, matches: (await tools.loadPatterns()).matches, dismissals };
  const byPair = selection.freshPairs.map((pair) => settledFindings(checking, pair));
  const problems = [...selection.problems, ...skippedIn(world)];
  const { lock } = tools.settings;
  const lockProblems = parseLock((await tools.files.read(lock)) ?? "").problems;
  const findings: readonly CheckFinding[] = [
    ...problems.map(({ path, message }) => ({
      ...({ ...about(path, ""), message, level: "error", rule: "unreadable" } as const),
    })),
    ...brokenLines(lock, lockProblems),
    ...brokenLines(rulingsPath(tools.settings), rulings.problems),
    ...stale,
    ...byPair.flat(),
    ...(world.changes === undefined ? [] : newsOf(world, world.changes)),
  ];
  const isError = ({ level, suppressed }: CheckFinding): boolean =>
    level === "error" && suppressed === undefined;
  return {
    passed: !findings.some(isError),
    support: "attested",
    pairs: selection.pairs,
    stale: stale.length,
    failing: byPair.filter((found) => found.some(isError)).length,
    findings,
    problems,
  };
}

/** A check of nothing proves nothing: a misspelt folder must not look like a pass. */
function refuseNothing({ settings }: NotesTools, { allNotes, allGates }: NotesWorld): void {
  const missing = [
    ...(allNotes.length === 0 ? [`no notes below ${settings.roots.join(", ")}`] : []),
    ...(allGates.length === 0 ? [`no gates below ${settings.gates}`] : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigurationError(`There is nothing to check: ${missing.join(" and ")}.`, {
    code: "nothing-to-check",
    facts: { roots: [...settings.roots], gates: settings.gates },
    hint: "Correct notes.roots and notes.gates in signoff.yaml, or run `signoff notes init`.",
  });
}

/** Notes and folders that were named and not read, each with the reason. */
export function skippedIn({ skipped, changes }: NotesWorld): readonly NoteProblem[] {
  const words: { readonly [reason: string]: string } = {
    missing: "there is no such folder",
    symlink: "it is a symbolic link, which is not followed",
  };
  return skipped
    .filter(({ path }) => changes === undefined || changes.notes.has(path))
    .map(({ path, reason }) => ({ path, message: words[reason] ?? `not read (${reason})` }));
}

type Checking = NotesTools & Pick<Patterns, "matches"> & { readonly dismissals: HoldingDismissals };

function staleFinding(pair: TargetPair): CheckFinding {
  const rule = reasonOf(pair);
  const said = {
    "missing-review": "was never reviewed",
    "gate-changed": "was reviewed against another version of the gate",
    "note-changed": "changed after its review",
    undecided: "was left undecided",
  }[rule];
  return {
    ...nameOf(pair),
    rule,
    level: "error",
    message: `${pair.gate.id}: the note ${said}`,
  };
}

function settledFindings(tools: Checking, pair: TargetPair): readonly CheckFinding[] {
  const { gate, model, accepted } = pair;
  if (accepted === undefined) return [];
  if (gate.kind === "rule") return ruleFindings(tools, pair);
  if (isDecidedByStandIn(model, tools.settings.panels) && !tools.settings.allowOffline) {
    const message = "judged by a rule-based stand-in only (notes.allow_offline is false)";
    return [
      { ...nameOf(pair), rule: "stand-in", level: "error", message: `${gate.id}: ${message}` },
    ];
  }
  const { decision, says } = accepted;
  const counted = verdictFinding(pair, decision, said(decision));
  if (decision === says) return counted;
  const suppressed = suppressionOf(tools, pair);
  return [
    ...counted,
    ...verdictFinding(pair, says, said(says)).map((one) => ({ ...one, suppressed })),
  ];
}

function said(decision: Settled): string {
  return decision === "fail" ? "the review says fail" : "the review warns";
}

function verdictFinding(
  pair: TargetPair,
  decision: Settled,
  message: string,
): readonly CheckFinding[] {
  const { gate } = pair;
  if (decision === "pass") return [];
  const isError = isFailing(decision, gate.failLevel);
  const kind = isError
    ? ({ rule: "failing", level: "error" } as const)
    : ({ rule: "warning", level: "warning" } as const);
  return [{ ...nameOf(pair), ...kind, message: `${gate.id}: ${message}` }];
}

function suppressionOf({ dismissals }: Checking, { note, gate, accepted }: TargetPair): string {
  const rulings: readonly Ruling[] =
    accepted?.override === undefined ? dismissals.of(note.path, gate.id) : [accepted.override];
  return rulings.map(({ by, reason }) => `${by}: ${reason}`).join("; ");
}

function ruleFindings(tools: Checking, pair: TargetPair): readonly CheckFinding[] {
  const { gate, note, accepted } = pair;
  const parts = parseNote(textOf(tools, note.path));
  const { findings } = evaluateRules(gate.rules, parts, tools.matches);
  const dismissed = tools.dismissals.of(note.path, gate.id);
  return findings.flatMap((finding) => {
    const name = { gateId: gate.id, notePath: note.path, finding };
    const { anchor } = fingerprintFinding(name, tools.digest);
    const ruling = accepted?.override ?? dismissed.find((one) => one.anchor === anchor);
    const suppressed = ruling && `${ruling.by}: ${ruling.reason}`;
    const decision = finding.severity === "warn" ? "warn" : "fail";
    return verdictFinding(pair, decision, finding.message).map((one) => ({
      ...one,
      ...defined({ line: finding.line, suppressed }),
    }));
  });
}

/** An unreadable line proves nothing. Reporting it explains why its pair is stale. */
function brokenLines(path: string, problems: readonly LockProblem[]): readonly CheckFinding[] {
  return problems.map(({ line, message }) => ({
    ...about(path, ""),
    rule: "lock",
    level: "error",
    message,
    line,
  }));
}

/** What a reviewer of the change should see: gates that are gone, and what people ruled. */
function newsOf({ allGates }: NotesWorld, changes: ChangesSince): readonly CheckFinding[] {
  const present = new Set(allGates.map(({ path }) => path));
  const removed = [...changes.gateFiles].filter((path) => !present.has(path));
  return [
    ...removed.map((path) => ({
      ...about(path, ""),
      ...({ rule: "gate-removed", level: "warning" } as const),
      message: `the gate was removed since ${changes.revision}; nothing is held to it any more`,
    })),
    ...changes.rulings.map((ruling) => rulingNews(ruling, "new ruling")),
    ...changes.deletedRulings.map((ruling) => rulingNews(ruling, "deleted ruling")),
  ];
}

const acts = {
  dismiss: "dismissed a finding",
  override: "overrode the verdict",
  acknowledge: "acknowledged",
};

function rulingNews(ruling: Ruling, what: string): CheckFinding {
  const { notePath, gateId, kind, by, reason, expires } = ruling;
  const verdict = kind === "dismiss" ? "" : ` as ${ruling.decision}`;
  const until = expires === undefined ? "" : ` (until ${expires})`;
  const message = `${what}: ${gateId}: ${by} ${acts[kind]}${verdict}${until}: ${reason}`;
  return { ...about(notePath, gateId), rule: "ruling", level: "note", message };
}

function about(note: string, gate: string) {
  return { note, gate, model: "" };
}

function nameOf({ note, gate, model }: TargetPair) {
  return { note: note.path, gate: gate.id, model };
}
