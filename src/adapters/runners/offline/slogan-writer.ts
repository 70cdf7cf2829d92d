import type { CreatorReply } from "../../../domain/drafting/candidate.ts";
import type { CreatorTask } from "../../../protocol/drafting/task.ts";
import { answerTo } from "./answer-to.ts";
import { type BriefFacts, readBrief } from "./brief-facts.ts";
import { type Complaints, readComplaints } from "./complaints.ts";
import { seeded, shuffled } from "./seeded.ts";
import { type Fault, quoteOf, sloganFaults } from "./slogan-faults.ts";
import { sloganLines } from "./slogan-lines.ts";
import { keepsLimits } from "./text-checks.ts";
import { lengthOf, stemOf, tokensOf } from "./word-forms.ts";
import { STOP_WORDS } from "./words.ts";

/** How often a draft is already good on the first turn, and how often a revision brings a new fault with it. */
const LUCKY_FIRST = 0.12;
const SLOPPY_SECOND = 0.45;
const SLOPPY_THIRD = 0.2;

/** Writes or revises a slogan from what the task says, and answers every open issue. */
export function writeSlogan(task: CreatorTask, seed: number): CreatorReply {
  const content = task.lockedText ?? chooseLine(task, seed);
  return {
    content,
    done: true,
    answers: task.openIssues.map((open) => answerTo(open, task, content)),
  };
}

function chooseLine(task: CreatorTask, seed: number): string {
  const facts = readBrief(task.brief);
  const desk = deskFor(task, facts, seed);
  if (task.repair !== undefined) return shortest(desk.clean);
  if (task.iteration <= 1 && task.previousText === undefined) return firstDraft(desk);
  return revision(desk, task);
}

interface Desk {
  readonly chance: () => number;
  /** Lines with a fault or two, the kind that comes to mind first. */
  readonly rough: readonly string[];
  /** Lines that look finished and have one thing wrong. */
  readonly sloppy: readonly string[];
  /** Lines without fault, in an order that is the same on every turn. */
  readonly clean: readonly string[];
  codesOf(line: string): readonly string[];
  /** What is wrong with a line and where, as one text. */
  faultOf(line: string): string;
}

function deskFor(task: CreatorTask, facts: BriefFacts, seed: number): Desk {
  const hand = `${seed}/${task.candidateIndex}/${task.brief}`;
  const order = seeded(hand);
  const chance = seeded(`${hand}/${task.iteration}`);
  const known = new Map<string, readonly Fault[]>();
  const faultsOf = (line: string) => {
    const faults = known.get(line) ?? sloganFaults(line, facts, task.brief);
    known.set(line, faults);
    return faults;
  };
  const codesOf = (line: string) => faultsOf(line).map((fault) => fault.code);
  const faultOf = (line: string) =>
    faultsOf(line)
      .map(({ code, quote }) => `${code} ${quote?.toLowerCase() ?? ""}`)
      .join();
  const lines = sloganLines(facts);
  const fits = (line: string) =>
    lengthOf(line) <= Math.min(100, task.maxCharacters) && keepsLimits(line, task.checks);
  const faulty = (line: string, most: number) => {
    const count = codesOf(line).length;
    return count >= 1 && count <= most && fits(line);
  };
  const clean = lines.polished.filter((line) => codesOf(line).length === 0);
  const usable = clean.filter(fits);
  return {
    chance,
    codesOf,
    faultOf,
    rough: shuffled(
      lines.first.filter((line) => faulty(line, 2)),
      chance,
    ),
    sloppy: shuffled(
      lines.second.filter((line) => faulty(line, 1)),
      chance,
    ),
    clean: shuffled(usable.length > 0 ? usable : clean, order),
  };
}

function firstDraft(desk: Desk): string {
  const lucky = desk.chance() < LUCKY_FIRST;
  const rough = oneFaultOf(desk, desk.rough)[0];
  return lucky || rough === undefined ? (desk.clean[0] ?? "") : rough;
}

/** The lines that share one fault, drawn by fault, or else the fault most lines have would be drawn most often. */
function oneFaultOf(desk: Desk, lines: readonly string[]): readonly string[] {
  const faults = [...new Set(lines.map(desk.faultOf))];
  const drawn = shuffled(faults, desk.chance)[0];
  return lines.filter((line) => desk.faultOf(line) === drawn);
}

/** The line that answers the review and otherwise stays as close to the last draft as it can. */
function revision(desk: Desk, task: CreatorTask): string {
  const complaints = readComplaints(task);
  const previous = task.previousText ?? "";
  const answers = (line: string) => line !== previous && isAnswer(line, complaints, desk);
  const at = desk.clean.indexOf(previous);
  // A reviewer who refuses a line we stand by gets the next one, round and round, never an earlier one again.
  if (at >= 0) {
    const following = [...desk.clean.slice(at + 1), ...desk.clean.slice(0, at)];
    return following.find(answers) ?? following[0] ?? previous;
  }
  const sloppiness = task.iteration === 2 ? SLOPPY_SECOND : task.iteration === 3 ? SLOPPY_THIRD : 0;
  const sloppy = desk.chance() < sloppiness ? oneFaultOf(desk, desk.sloppy.filter(answers)) : [];
  const pool = [sloppy, desk.clean.filter(answers), desk.clean].find((lines) => lines.length > 0);
  return closestTo(pool ?? [], previous, complaints.wanted);
}

function isAnswer(line: string, complaints: Complaints, desk: Desk): boolean {
  if (complaints.avoid.some((words) => quoteOf(line, words) !== undefined)) return false;
  return !desk.codesOf(line).some((code) => complaints.codes.has(code));
}

function closestTo(lines: readonly string[], previous: string, wanted: readonly string[]): string {
  const kept = contentStems(previous);
  const liked = contentStems(wanted.join(" "));
  const worth = (line: string) => {
    const stems = [...contentStems(line)];
    const shared = stems.filter((stem) => kept.has(stem)).length;
    return shared + 2 * stems.filter((stem) => liked.has(stem)).length;
  };
  return lines.reduce((best, line) => (worth(line) > worth(best) ? line : best), lines[0] ?? "");
}

function contentStems(text: string): ReadonlySet<string> {
  return new Set(
    tokensOf(text)
      .filter((token) => !STOP_WORDS.has(token))
      .map(stemOf),
  );
}

function shortest(lines: readonly string[]): string {
  return lines.reduce(
    (best, line) => (lengthOf(line) < lengthOf(best) ? line : best),
    lines[0] ?? "",
  );
}
