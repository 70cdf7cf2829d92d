import { type CheckLists, coverLists } from "../scenarios/check-rules.ts";
import { compareSeverity } from "../scenarios/finding.ts";
import { countOpen } from "../scenarios/repair-targets.ts";
import { defined } from "../values/defined.ts";
import {
  ALWAYS_CHECKED,
  type AskedQuestion,
  isSameCheck,
  type StageFinding,
} from "./asked-question.ts";
import type { LoopFinished, RunIngested, StageEvent, StageHistory } from "./stage-history.ts";

/** A P0 or P1 that was neither proven nor ruled away. */
export interface OpenFinding extends StageFinding {
  /** The run or folder that showed it. */
  readonly from: string;
  /** When that run was held; absent where it is not known. */
  readonly foundAt?: string;
  readonly isImported: boolean;
  /** What the project's lists were then, if not the usual ones. */
  readonly checkLists?: CheckLists;
}

/** A finding stays open until the check that failed passes on the same question, or until a person settles it. */
export function openFindings(history: StageHistory): readonly OpenFinding[] {
  let open: readonly OpenFinding[] = [];
  for (const event of history) {
    const kept = open.filter((finding) => !settles(event, finding));
    const added = findingsOf(event);
    const isAgain = (one: OpenFinding) => added.some((other) => isSameFinding(one, other));
    open = [...kept.filter((finding) => !isAgain(finding)), ...added];
  }
  return [...open].sort((left, right) => compareSeverity(left.severity, right.severity));
}

/** How many things are open, counted as people list them: one per problem of a question. */
export function countFindings(findings: readonly OpenFinding[]): {
  readonly P0: number;
  readonly P1: number;
} {
  return countOpen([...new Map(findings.toReversed().map((one) => [one.findingId, one])).values()]);
}

function settles(event: StageEvent, finding: OpenFinding): boolean {
  switch (event.kind) {
    case "ruling-given":
      return event.finding === finding.findingId;
    case "loop-finished":
      return isShownByReplay(event, finding);
    case "run-ingested":
      return isShownByImport(event, finding);
    default:
      return false;
  }
}

function isShownByReplay({ replay, ...loop }: LoopFinished, finding: OpenFinding): boolean {
  if (replay === undefined || replay.begunAt < (finding.foundAt ?? "")) return false;
  if (finding.analyst !== undefined) {
    const isJudge = replay.analyst === finding.analyst || replay.deciders.includes("model");
    const isCovered =
      finding.asAsked === undefined
        ? finding.basis === loop.packHash
        : replay.asked.some((asked) => isSameCheck(finding, asked));
    return loop.accepted && isJudge && isCovered;
  }
  return replay.asked.some((asked) => passes(finding, asked, replay.checkLists));
}

/** A run made elsewhere shows visible answers only, and none of an unknown time. */
function isShownByImport(
  { asked = [], heldAt, checkLists }: RunIngested,
  finding: OpenFinding,
): boolean {
  if (!finding.isVisible || finding.analyst !== undefined) return false;
  if (heldAt === undefined || heldAt < (finding.foundAt ?? "")) return false;
  return asked.some((one) => passes(finding, one, checkLists));
}

/** Shorter lists in the settings would hide what every answer is checked for. */
function passes(finding: OpenFinding, asked: AskedQuestion, lists?: CheckLists): boolean {
  return (
    isSameCheck(finding, asked) &&
    asked.isAnswered &&
    !asked.problems.includes(finding.problemType) &&
    (!ALWAYS_CHECKED.includes(finding.problemType) || coverLists(lists, finding.checkLists))
  );
}

function findingsOf(event: StageEvent): readonly OpenFinding[] {
  switch (event.kind) {
    case "loop-finished": {
      const { replay, findings = [], loopId: from } = event;
      const foundAt = replay?.begunAt ?? "";
      return (replay?.findings ?? findings).map((one) => ({
        ...one,
        from,
        foundAt,
        isImported: false,
        ...defined({ checkLists: replay?.checkLists }),
      }));
    }
    case "run-ingested": {
      const { findings = [], runId: from, heldAt: foundAt, checkLists } = event;
      const about = { from, ...defined({ foundAt, checkLists }) };
      return findings.map((one) => ({ ...one, ...about, isImported: true }));
    }
    case "findings-imported":
      return event.findings.map((one) => ({ ...one, from: event.from, isImported: true }));
    default:
      return [];
  }
}

function isSameFinding(left: OpenFinding, right: OpenFinding): boolean {
  return (
    left.findingId === right.findingId &&
    left.asAsked === right.asAsked &&
    left.asWorded === right.asWorded
  );
}
