import type { CreatorReply } from "../../../../domain/drafting/candidate.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import { capitalised, codePoints, quoteOf, subjectsOf } from "../words.ts";
import { readBrief } from "./brief.ts";
import { type Critic, sloganCritic } from "./draft-faults.ts";
import { keepsLimits } from "./keeps-limits.ts";
import { type Complaints, handIn, readComplaints } from "./revision.ts";
import { seeded, shuffled } from "./seeded.ts";

/** How often a first draft is already good, and how often the second brings a new fault with it. */
const luckyFirst = 0.12;
const sloppySecond = 0.45;

/** Writes or revises a slogan from what the task says, and answers every open issue. */
export function writeSlogan(task: CreatorTask, seed: number): CreatorReply {
  return handIn(task, () => chooseLine(task, seed));
}

function chooseLine(task: CreatorTask, seed: number): string {
  const hand = `${seed}/${task.candidateIndex}/${task.brief}`;
  const chance = seeded(`${hand}/${task.iteration}`);
  const critic = sloganCritic(task.brief);
  const lines = linesFor(task, critic);
  const clean = shuffled(lines.clean, seeded(hand));
  if (task.repair !== undefined) return [...clean].sort((a, b) => a.length - b.length)[0] ?? "";
  if (task.iteration <= 1 && task.previousText === undefined) {
    const [rough = clean[0] ?? ""] = shuffled(lines.rough, chance);
    return chance() < luckyFirst ? (clean[0] ?? "") : rough;
  }
  const complaints = readComplaints(task);
  const previous = task.previousText ?? "";
  const answers = (line: string) => line !== previous && isAnswer(line, complaints, critic);
  const at = clean.indexOf(previous);
  // A reviewer who refuses a faultless line gets the next one, never an earlier one again.
  if (at >= 0) {
    const following = [...clean.slice(at + 1), ...clean.slice(0, at)];
    return following.find(answers) ?? following[0] ?? previous;
  }
  const isSloppy = task.iteration === 2 && chance() < sloppySecond;
  const sloppy = isSloppy ? shuffled(lines.sloppy, chance).filter(answers).slice(0, 1) : [];
  const pool = [sloppy, clean.filter(answers), clean].find((some) => some.length > 0) ?? [];
  return closestTo(pool, previous, complaints.wanted);
}

interface SloganLines {
  /** The kind that comes to mind first. */
  readonly rough: readonly string[];
  /** Looks finished and has one thing wrong. */
  readonly sloppy: readonly string[];
  readonly clean: readonly string[];
}

/** Everything the writer could say about a brief, sorted by what the critic says about it. */
function linesFor(task: CreatorTask, critic: Critic): SloganLines {
  const { uses, theme, product = "it" } = readBrief(task.brief);
  const { acts, loss, gain } = theme;
  const each = (write: (use: string, act: string) => readonly string[]) =>
    acts.flatMap((act) => uses.flatMap((use) => write(use, act))).map(capitalised);
  const fits = (line: string) =>
    codePoints(line) <= Math.min(100, task.maxCharacters) && keepsLimits(line, task.checks);
  const faulty = (lines: readonly string[], most: number) =>
    [...new Set(lines)].filter((line) => {
      const count = critic(line).length;
      return count >= 1 && count <= most && fits(line);
    });
  const polished = each((use, act) => [
    `${use}. ${capitalised(act)}.`,
    `${act}: ${lowerFirst(use)}.`,
    `${use}: less ${loss}, more ${gain}.`,
    `${loss} ends here: ${lowerFirst(use)}.`,
  ]);
  const clean = [...new Set(polished)].filter((line) => critic(line).length === 0);
  const fitting = clean.filter(fits);
  return {
    rough: faulty(
      each((use, act) => [
        `${product}: the best way to ${act}.`,
        `${act}, one day at a time.`,
        `${product} for a better tomorrow.`,
        `${use} and feel the difference.`,
        `${use}! ${capitalised(act)}!`,
        `${act}, now and tomorrow.`,
      ]),
      2,
    ),
    sloppy: faulty(
      each((use, act) => [
        `${use}, so that you can ${act}.`,
        `${use} to really ${act}.`,
        `${use}, and ${act} like never before.`,
      ]),
      1,
    ),
    clean: fitting.length > 0 ? fitting : clean,
  };
}

function isAnswer(line: string, complaints: Complaints, critic: Critic): boolean {
  if (complaints.avoid.some((words) => quoteOf(line, words) !== undefined)) return false;
  return !critic(line).some(({ code }) => complaints.codes.has(code));
}

/** Stays as close to the last draft as it can, and closer to what the reviewer would like to see. */
function closestTo(lines: readonly string[], previous: string, wanted: readonly string[]): string {
  const kept = new Set(subjectsOf(previous));
  const liked = new Set(subjectsOf(wanted.join(" ")));
  const worth = (line: string) =>
    subjectsOf(line).reduce(
      (sum, one) => sum + (liked.has(one) ? 2 : 0) + (kept.has(one) ? 1 : 0),
      0,
    );
  return lines.reduce((best, line) => (worth(line) > worth(best) ? line : best), lines[0] ?? "");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
