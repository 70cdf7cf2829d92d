import type { CreatorReply } from "../../../../domain/drafting/candidate.ts";
import { checksOf, runChecks } from "../../../../domain/drafting/checks.ts";
import { capitalised } from "../../../../domain/values/capitalised.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import type { Critic } from "../fault.ts";
import { lowerFirst, quoteOf, rotated, subjectsOf } from "../words.ts";
import { readBrief } from "./brief.ts";
import { sloganCritic } from "./draft-faults.ts";
import { handIn, readComplaints } from "./revision.ts";

/** Writes or revises a slogan from what the task says, and answers every open issue. */
export function writeSlogan(task: CreatorTask, seed: number): CreatorReply {
  return handIn(task, chooseLine(task, Math.abs(seed) + task.candidateIndex));
}

function chooseLine(task: CreatorTask, variant: number): string {
  const { previousText: previous } = task;
  const critic = sloganCritic(task.brief);
  const { rough, clean } = linesFor(task, critic, variant);
  if (task.repair !== undefined) return clean.toSorted((a, b) => a.length - b.length)[0] ?? "";
  if (previous === undefined) return rough[0] ?? clean[0] ?? "";

  const { codes, avoid, wanted } = readComplaints(task);
  const isAnswer = (line: string) =>
    line !== previous &&
    !avoid.some((words) => quoteOf(line, words) !== undefined) &&
    !critic(line).some(({ code }) => codes.has(code));
  // A reviewer who refuses a faultless line gets the next one, never an earlier one again.
  const at = clean.indexOf(previous);
  if (at >= 0) {
    const following = rotated(clean, at + 1);
    return following.find(isAnswer) ?? following[0] ?? previous;
  }
  const isHasty = task.iteration === 2 && variant % 2 === 0;
  const pools = [isHasty ? rough.filter(isAnswer) : [], clean.filter(isAnswer), clean];
  const pool = pools.find((lines) => lines.length > 0) ?? [];
  // As close to the last draft as possible, and closer to what the reviewer would like to see.
  const worth = (line: string) => shared(line, previous) + 2 * shared(line, wanted.join(" "));
  return pool.reduce((best, line) => (worth(line) > worth(best) ? line : best), pool[0] ?? "");
}

interface SloganLines {
  /** The kind that comes to mind first, with a fault or two. */
  readonly rough: readonly string[];
  readonly clean: readonly string[];
}

/** Everything the writer could say about a brief, beginning elsewhere for each variant. */
function linesFor(task: CreatorTask, critic: Critic, variant: number): SloganLines {
  const { uses, theme, product = "it" } = readBrief(task.brief);
  const { acts, loss, gain } = theme;
  const each = (write: (use: string, act: string) => readonly string[]) => {
    const lines = acts.flatMap((act) => uses.flatMap((use) => write(use, act)));
    return rotated([...new Set(lines.map(capitalised))], variant);
  };
  // Patterns are left to the loop, which has an engine for them.
  const fits = (line: string) =>
    runChecks(checksOf(task), line, { matches: () => true }).length === 0;
  const rough = each((use, act) => [
    `${use}! ${capitalised(act)}!`,
    `${product}: the best way to ${act}.`,
    `${act}, one day at a time.`,
    `${product} for a better tomorrow.`,
    `${use} and feel the difference.`,
    `${act}, now and tomorrow.`,
    `${use} to really ${act}.`,
    `${use}, so that you can ${act}.`,
  ]);
  const polished = each((use, act) => [
    `${use}. ${capitalised(act)}.`,
    `${act}: ${lowerFirst(use)}.`,
    `${use}: less ${loss}, more ${gain}.`,
    `${loss} ends here: ${lowerFirst(use)}.`,
  ]);
  const clean = polished.filter((line) => critic(line).length === 0);
  return {
    rough: rough.filter((line) => [1, 2].includes(critic(line).length) && fits(line)),
    clean: clean.some(fits) ? clean.filter(fits) : clean,
  };
}

/** How many subjects two texts have in common. */
function shared(line: string, other: string): number {
  const subjects = new Set(subjectsOf(other));
  return subjectsOf(line).filter((subject) => subjects.has(subject)).length;
}
