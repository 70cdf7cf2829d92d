import type { IssueAnswer } from "../../../../domain/drafting/candidate.ts";
import type { CreatorTask, OpenIssue } from "../../../../protocol/drafting/task.ts";
import { quoteOf } from "../words.ts";

/** What the writer takes from a review, whoever wrote it and in whatever form. */
export interface Complaints {
  /** Fault codes, as the critic would name them. */
  readonly codes: ReadonlySet<string>;
  /** Words of the last draft that must go. */
  readonly avoid: readonly string[];
  /** Quoted words that were not in the draft: something the reviewer would like to see. */
  readonly wanted: readonly string[];
}

const meanings: readonly (readonly [code: string, signs: RegExp])[] = [
  ["vague", /vague|generic|specific|concrete|bland|abstract/i],
  ["cliche", /clich|overused|worn|tired phrase/i],
  ["too_long", /too long|shorter|shorten|trim|concise/i],
  ["off_brief", /off.?topic|off.?brief|product|what it is|name the/i],
  ["no_benefit", /benefit|impact|promise|why should|picture/i],
  ["repetition", /repeat|repetit|twice|more than once/i],
  ["loud", /exclamation|shout|loud|capitals/i],
  ["wordy", /filler|wordy|padding/i],
];

/** Reads issues by their code if it is one we know, else by their words, as it reads plain feedback. */
export function readComplaints(task: CreatorTask): Complaints {
  const previous = task.previousText ?? "";
  const issues = task.openIssues.map(({ issue }) => issue);
  const prose = [...issues.map(({ message }) => message), task.feedback ?? "", task.notes ?? ""];
  const quotes = [...issues.map(({ quote = "" }) => quote), ...prose.flatMap(quotesIn)];
  const named = quotes.filter((quote) => quote !== "");
  const meant = meanings.filter(([, signs]) => prose.some((text) => signs.test(text)));
  return {
    codes: new Set([...issues.map(({ code = "" }) => code), ...meant.map(([code]) => code)]),
    avoid: named.filter((quote) => quoteOf(previous, quote) !== undefined),
    wanted: named.filter((quote) => quoteOf(previous, quote) === undefined),
  };
}

function quotesIn(prose: string): readonly string[] {
  return [...prose.matchAll(/[“"„]([^“”"„]{1,80})[”"“]/gu)].map((match) => match[1] ?? "");
}

/** What the writer says about an issue, true of the text it hands in. */
export function answerTo(open: OpenIssue, task: CreatorTask, content: string): IssueAnswer {
  const { issueId, quote } = open.issue;
  const rebutted = (reason: string): IssueAnswer => ({ issueId, answer: "rebutted", reason });
  if (task.lockedText !== undefined) return rebutted("The text is locked; I may not change it.");
  if (quote === undefined) {
    return { issueId, answer: "fixed", reason: `I rewrote the text; it now reads “${content}”` };
  }
  if (quoteOf(task.previousText ?? "", quote) === undefined) {
    return rebutted(`“${quote}” was not in my draft.`);
  }
  if (quoteOf(content, quote) !== undefined) {
    return rebutted(`I kept “${quote}”: it names what this is about.`);
  }
  return { issueId, answer: "fixed", reason: `“${quote}” is gone; it now reads “${content}”` };
}

/** Keeps locked text and answers every open issue. */
export function handIn(task: CreatorTask, compose: () => string) {
  const content = task.lockedText ?? compose();
  const answers = task.openIssues.map((open) => answerTo(open, task, content));
  return { content, done: true, answers };
}
