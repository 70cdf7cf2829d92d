import type { CiGate, CiPair } from "../../contract/gates/ci-report.ts";
import { type LockProblem, parseLock } from "../../contract/gates/lock-file.ts";
import type { NotePathMove } from "../../domain/relocation/plan-moves.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { changeFindings } from "./change-findings.ts";
import {
  aboutFile,
  type CheckFinding,
  type CheckParts,
  type CommandForm,
  type FileFinding,
  pairFindings,
} from "./check-findings.ts";
import { reasonOf } from "./compute-status.ts";
import { FindingDetails } from "./finding-details.ts";
import type { Gate } from "./load-gates.ts";
import { loadWorld, type NotesScope, type NotesWorld } from "./load-world.ts";
import { findMovedNotes } from "./moved-notes.ts";
import type { NotesTools } from "./notes-tools.ts";
import { HoldingDismissals, loadRulings } from "./rulings.ts";
import { rulingsPath } from "./rulings-path.ts";
import { type NoteProblem, selectAllPairs } from "./select-pairs.ts";
import { adoptMovesCommand } from "./status-report.ts";
import type { TargetPair } from "./target-pair.ts";

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
  /** Every pair that was looked at. */
  readonly checked: readonly CiPair[];
  readonly gates: readonly CiGate[];
}

export interface CheckRequest extends NotesScope, Partial<CommandForm> {
  readonly models: readonly string[];
  /** Knows the words of findings; no verdict is taken from it. */
  readonly record?: NotesTools["store"];
}

/**
 * What lock and rulings say about the present texts, without a model or a database.
 * Rule gates are evaluated again, because that costs nothing. Every pair that applies is covered, or what could not be
 * read is named.
 */
export async function checkLock(tools: NotesTools, request: CheckRequest): Promise<NotesCheck> {
  const world = await loadWorld(tools, request);
  refuseNothing(tools, world);
  const { models, showPath = (path) => path, judgeFlags = "" } = request;
  const selection = await selectAllPairs(tools, world, { models, lockOnly: true, readAll: true });
  const rulings = await loadRulings(tools);
  const moved = await movedIn(tools, world, selection.stale);
  const isWork = ({ accepted }: TargetPair) => accepted !== undefined && accepted.says !== "pass";
  const parts: CheckParts = {
    ...{ tools, showPath, judgeFlags, matches: (await tools.loadPatterns()).matches },
    dismissals: new HoldingDismissals(tools, rulings),
    details: await FindingDetails.load(
      { ...tools, ...defined({ store: request.record }) },
      selection.freshPairs.filter(isWork).map(({ note }) => note.path),
    ),
    movedTo: new Set(moved.map(({ newPath }) => newPath)),
  };
  const pairs = [...selection.stale, ...selection.freshPairs];
  const byPair = pairs.map((pair) => pairFindings(parts, pair));
  const problems = [...selection.problems, ...skippedIn(world)];
  const { lock } = tools.settings;
  const lockProblems = parseLock((await tools.files.read(lock)) ?? "").problems;
  const beside: readonly FileFinding[] = [
    ...problems.map(({ path, message }) => ({
      ...aboutFile(path, "unreadable", "error"),
      message,
    })),
    ...brokenLines(lock, lockProblems, "Rebuild it from the record: signoff notes lock"),
    ...brokenLines(rulingsPath(tools.settings), rulings.problems),
    ...moved.map(movedFinding),
    ...(world.changes === undefined ? [] : await changeFindings(tools, world, world.changes)),
  ];
  const findings = [...beside.map((one) => withFingerprint(tools, one)), ...byPair.flat()];
  const isError = ({ level, suppressed }: CheckFinding): boolean =>
    level === "error" && suppressed === undefined;
  return {
    passed: !findings.some(isError),
    support: "attested",
    pairs: selection.pairs,
    stale: selection.stale.length,
    failing: byPair.slice(selection.stale.length).filter((found) => found.some(isError)).length,
    findings,
    problems,
    checked: pairs.map(({ note, gate, model }) => ({ note: note.path, gate: gate.id, model })),
    gates: world.gates.map(gateFacts),
  };
}

/** What a report says about a gate. */
export function gateFacts({ id, description, body, failLevel }: Gate): CiGate {
  return { id, body, failLevel, ...defined({ description }) };
}

/** Only looked for where a note has no review at all. */
async function movedIn(
  tools: NotesTools,
  { allNotes }: NotesWorld,
  stale: readonly TargetPair[],
): Promise<readonly NotePathMove[]> {
  const isNew = stale.some((pair) => reasonOf(pair) === "missing-review");
  return isNew ? findMovedNotes(tools, allNotes) : [];
}

function withFingerprint({ digest }: NotesTools, one: FileFinding): CheckFinding {
  const { note, gate, rule, message } = one;
  return { ...one, fingerprint: digest(JSON.stringify([note, gate, rule, message])) };
}

function movedFinding({ oldPath, newPath }: NotePathMove): FileFinding {
  const message = `has the text of ${oldPath}, which is gone: it was moved without its reviews`;
  const mend = `Take them along: ${adoptMovesCommand}`;
  return { ...aboutFile(newPath, "moved", "warning"), message, mend };
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
    submodule: "it is a submodule, whose notes are checked in their own repository",
    "not-checked-out": "it is not checked out (sparse checkout)",
    "name-not-utf-8": "its name is not UTF-8",
    "not-a-file": "it is no file",
    "not-lower-case": "its name does not end in .md in lower case: rename it or exclude it",
  };
  return skipped
    .filter(({ path }) => changes === undefined || changes.notes.has(path))
    .map(({ path, reason }) => ({ path, message: words[reason] ?? `not read (${reason})` }));
}

/** An unreadable line proves nothing. Reporting it explains why its pair is stale. */
function brokenLines(
  path: string,
  problems: readonly LockProblem[],
  mend?: string,
): readonly FileFinding[] {
  return problems.map(({ line, message }) => ({
    ...{ ...aboutFile(path, "lock", "error"), message, line, ...defined({ mend }) },
  }));
}
