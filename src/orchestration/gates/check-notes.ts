import { parseNote } from "../../contract/documents/parse-note.ts";
import { parseLock } from "../../contract/gates/lock-file.ts";
import { isFailing } from "../../domain/gates/decision.ts";
import { isStandInPartition } from "../../domain/gates/model-partition.ts";
import { evaluateRules } from "../../domain/gates/rule-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import { reasonOf } from "./compute-status.ts";
import { loadWorld, type NotesScope } from "./load-world.ts";
import type { NotesTools, Patterns } from "./notes-tools.ts";
import { textOf } from "./plan-work.ts";
import { type NoteProblem, selectAllPairs, type TargetPair } from "./select-pairs.ts";

export interface CheckFinding {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  /** What is wrong with the pair: a reason of staleness, `failing` or `stand-in`. */
  readonly rule: CheckRule;
  readonly level: "error" | "warning";
  readonly message: string;
  readonly line?: number;
}

export type CheckRule =
  | "missing-review"
  | "gate-changed"
  | "note-changed"
  | "undecided"
  | "failing"
  | "warning"
  | "stand-in"
  | "lock";

export interface NotesCheck {
  readonly passed: boolean;
  readonly pairs: number;
  readonly stale: number;
  readonly failing: number;
  readonly findings: readonly CheckFinding[];
  readonly problems: readonly NoteProblem[];
}

/**
 * What the lock proves about the present texts, without a model or a database. Rule gates are evaluated again, because
 * that costs nothing.
 */
export async function checkNotes(
  tools: NotesTools,
  request: NotesScope & { readonly models: readonly string[] },
): Promise<NotesCheck> {
  const world = await loadWorld(tools, request);
  const { models } = request;
  const selection = await selectAllPairs(tools, world, { models, lockOnly: true });
  const stale = selection.stale.map(staleFinding);
  const rules = { ...tools, matches: (await tools.loadPatterns()).matches };
  const byPair = selection.freshPairs.map((pair) => settledFindings(rules, pair));
  const findings = [...(await brokenLines(tools)), ...stale, ...byPair.flat()];
  const failing = byPair.filter((found) => found.some(({ level }) => level === "error")).length;
  return {
    passed: findings.every(({ level }) => level !== "error"),
    pairs: selection.pairs,
    stale: stale.length,
    failing,
    findings,
    problems: selection.problems,
  };
}

type RuleTools = NotesTools & Pick<Patterns, "matches">;

function staleFinding(pair: TargetPair): CheckFinding {
  const rule = reasonOf(pair);
  const said = {
    "missing-review": "was never reviewed",
    "gate-changed": "was reviewed against another version of the gate",
    "note-changed": "changed after its review",
    undecided: "was left undecided",
  }[rule];
  const hint = pair.trivial
    ? " (nothing the gate watches; `signoff notes review` acknowledges it)"
    : "";
  return {
    ...nameOf(pair),
    rule,
    level: "error",
    message: `${pair.gate.id}: the note ${said}${hint}`,
  };
}

function settledFindings(tools: RuleTools, pair: TargetPair): readonly CheckFinding[] {
  const { gate, model, accepted } = pair;
  if (accepted === undefined) return [];
  if (gate.kind === "rule") return ruleFindings(tools, pair);
  const finding = (rule: CheckRule, level: CheckFinding["level"], message: string) => [
    { ...nameOf(pair), rule, level, message: `${gate.id}: ${message}` },
  ];
  if (isStandInPartition(model) && !tools.settings.allowOffline) {
    const message = "judged by a rule-based stand-in only (notes.allow_offline is false)";
    return finding("stand-in", "error", message);
  }
  if (isFailing(accepted.decision, gate.failLevel))
    return finding("failing", "error", `the review says ${accepted.decision}`);
  return accepted.decision === "pass" ? [] : finding("warning", "warning", "the review warns");
}

function ruleFindings(tools: RuleTools, pair: TargetPair): readonly CheckFinding[] {
  const { gate, note } = pair;
  const parts = parseNote(textOf(tools, note.path));
  const { decision, findings } = evaluateRules(gate.rules, parts, tools.matches);
  const level = isFailing(decision, gate.failLevel) ? "error" : "warning";
  return findings.map(({ message, line }) => ({
    ...nameOf(pair),
    rule: level === "error" ? "failing" : "warning",
    level,
    message: `${gate.id}: ${message}`,
    ...defined({ line }),
  }));
}

/** An unreadable line proves nothing. Reporting it explains why its pair is stale. */
async function brokenLines({ files, settings }: NotesTools): Promise<readonly CheckFinding[]> {
  const { problems } = parseLock((await files.read(settings.lock)) ?? "");
  return problems.map(({ line, message }) => ({
    note: settings.lock,
    gate: "",
    model: "",
    rule: "lock",
    level: "error",
    message,
    line,
  }));
}

function nameOf({ note, gate, model }: TargetPair) {
  return { note: note.path, gate: gate.id, model };
}
