import type { CreatorTask } from "../../../protocol/drafting/task.ts";
import { quoteOf } from "./slogan-faults.ts";

/** What the writer takes from a review, whoever wrote it and in whatever form. */
export interface Complaints {
  /** Fault codes, as the critic would name them. */
  readonly codes: ReadonlySet<string>;
  /** Words of the last draft that must go. */
  readonly avoid: readonly string[];
  /** Quoted words that were not in the draft: something the reviewer would like to see. */
  readonly wanted: readonly string[];
}

const MEANINGS: readonly (readonly [code: string, signs: RegExp])[] = [
  ["vague", /vague|generic|specific|concrete|bland|abstract/i],
  ["cliche", /clich|overused|worn|tired phrase|heard (?:it|that)/i],
  ["too_long", /too long|shorter|shorten|trim|cut|characters|concise|wordy/i],
  ["too_short", /too short|hardly|thin|empty/i],
  ["off_brief", /off.?topic|off.?brief|product|what it is|name the|brief/i],
  ["no_benefit", /benefit|impact|promise|why should|gain|picture/i],
  ["no_verb", /\bverb|moves|action|static/i],
  ["passive", /passive/i],
  ["repetition", /repeat|repetit|twice|more than once/i],
  ["loud", /exclamation|shout|loud|capitals/i],
  ["wordy", /filler|wordy|padding/i],
  ["no_rhythm", /rhythm|clumsy|runs on|beats|flow/i],
];

const PRAISE = /^\s*(?:good|nice|strong|great|lovely|solid|i like|well done)\b/i;

/** Reads issues by their code if it is one we know, else by their words, as it reads plain feedback. */
export function readComplaints(task: CreatorTask): Complaints {
  const previous = task.previousText ?? "";
  const remarks = task.openIssues.map(({ issue }) => issue);
  const prose = [...remarks.map((issue) => issue.message), task.feedback ?? "", task.notes ?? ""];
  const quotes = [...remarks.map((issue) => issue.quote ?? ""), ...prose.flatMap(quotesIn)];
  const named = quotes.filter((quote) => quote !== "");
  return {
    codes: new Set([
      ...remarks.flatMap((issue) => (issue.code === undefined ? [] : [issue.code])),
      ...prose.flatMap(meaningsOf),
    ]),
    avoid: named.filter((quote) => quoteOf(previous, quote) !== undefined),
    wanted: named.filter((quote) => quoteOf(previous, quote) === undefined),
  };
}

function meaningsOf(prose: string): readonly string[] {
  const clauses = prose.split(/[.;!?]|,?\s+but\s+/i).filter((clause) => !PRAISE.test(clause));
  return MEANINGS.filter(([, signs]) => clauses.some((clause) => signs.test(clause))).map(
    ([code]) => code,
  );
}

function quotesIn(prose: string): readonly string[] {
  return [...prose.matchAll(/[“"„]([^“”"„]{1,80})[”"“]/gu)].map((match) => match[1] ?? "");
}
