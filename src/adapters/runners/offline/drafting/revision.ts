import type { CreatorReply, IssueAnswer } from "../../../../domain/drafting/candidate.ts";
import type { ReviewIssue } from "../../../../domain/drafting/review.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
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

/** Why an issue stays open although the text was written with it in mind; `undefined` if it does not. */
type WhyOpen = (issue: ReviewIssue) => string | undefined;

/** Keeps locked text and answers every open issue, truly of the text that is handed in. */
export function handIn(
  task: CreatorTask,
  written: string,
  whyOpen: WhyOpen = () => undefined,
): CreatorReply {
  const content = task.lockedText ?? written;
  const answers = task.openIssues.map(({ issue }): IssueAnswer => {
    const [answer, reason] = answerTo(issue, { ...task, content, whyOpen });
    return { issueId: issue.issueId, answer, reason };
  });
  return { content, done: answers.every(({ answer }) => answer !== "deferred"), answers };
}

function answerTo(
  issue: ReviewIssue,
  draft: CreatorTask & { readonly content: string; readonly whyOpen: WhyOpen },
): readonly [IssueAnswer["answer"], reason: string] {
  const { quote, code } = issue;
  if (draft.lockedText !== undefined) {
    const answer = code === "locked_selection" ? "fixed" : "rebutted";
    return [answer, "The text is locked; only a person may change it."];
  }
  if (quote !== undefined && quoteOf(draft.content, quote) === undefined) {
    const wasThere = quoteOf(draft.previousText ?? "", quote) !== undefined;
    return wasThere
      ? ["fixed", `“${quote}” is gone.`]
      : ["rebutted", `“${quote}” was not in my draft.`];
  }
  const open = draft.whyOpen(issue);
  if (open !== undefined) return ["deferred", open];
  if (quote === undefined) return ["fixed", "Written anew with this in mind."];
  return ["rebutted", `I kept “${quote}”: it names what this is about.`];
}
