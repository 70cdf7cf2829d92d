import { defined } from "../../../domain/values/defined.ts";
import type { ReviewerTask } from "../../../protocol/drafting/task.ts";
import type { BriefFacts } from "./brief-facts.ts";
import { keyTerms } from "./brief-terms.ts";
import { type Fault, quoteOf } from "./slogan-faults.ts";
import { stemOf, tokensOf } from "./word-forms.ts";
import { CLICHES, FILLERS, VAGUE_WORDS } from "./words.ts";

export type ProseJudged = Pick<ReviewerTask, "text" | "brief">;

/** How many of the brief's own words a text has to take up. */
const TERMS_NEEDED = 3;

/** What the critic holds against any text that is not a slogan: judged by the brief, not by the recipe's name. */
export function proseFaults(judged: ProseJudged, facts: BriefFacts): readonly Fault[] {
  return [
    ...unfinished(judged),
    ...thin(judged, facts),
    ...vague(judged),
    ...cliche(judged),
    ...repeated(judged),
    ...filler(judged),
  ];
}

function unfinished({ text }: ProseJudged): readonly Fault[] {
  const found = /\{\{|\bTODO\b|lorem ipsum|\[(?:\.\.\.|…|insert[^\]]*)\]/iu.exec(text)?.[0];
  const unprintable = /[^\P{Cc}\n\t\r]|\p{Surrogate}/u.test(text);
  if (found === undefined && !unprintable) return [];
  return [
    fault("unfinished", "There is a gap or a control character where words should be.", found),
  ];
}

function thin({ text, brief }: ProseJudged, facts: BriefFacts): readonly Fault[] {
  const terms = keyTerms(brief);
  const present = new Set(tokensOf(text).map(stemOf));
  const missing = terms.filter((term) => !present.has(stemOf(term.toLowerCase())));
  const needed = Math.min(TERMS_NEEDED, terms.length);
  if (tokensOf(text).length >= 2 && terms.length - missing.length >= needed) return [];
  const named = missing[0] ?? facts.product?.words ?? "the subject";
  return [fault("thin", `It leaves out what the brief turns on; bring in “${named}”.`)];
}

function vague({ text, brief }: ProseJudged): readonly Fault[] {
  const given = new Set(tokensOf(brief));
  const word = tokensOf(text).find((token) => VAGUE_WORDS.has(token) && !given.has(token));
  if (word === undefined) return [];
  return [fault("vague", `“${word}” is vague: say what exactly.`, quoteOf(text, word))];
}

function cliche({ text, brief }: ProseJudged): readonly Fault[] {
  const found = CLICHES.filter((words) => quoteOf(brief, words) === undefined)
    .map((words) => quoteOf(text, words))
    .find((quote) => quote !== undefined);
  return found === undefined ? [] : [fault("cliche", `“${found}” is a cliché; cut it.`, found)];
}

function repeated({ text }: ProseJudged): readonly Fault[] {
  const seen = new Set<string>();
  const twice = text
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((part) => part.trim())
    .filter((part) => tokensOf(part).length > 2)
    .find((part) => seen.size === seen.add(part).size);
  if (twice === undefined) return [];
  return [fault("repetition", "One sentence stands there twice; keep one of them.", twice)];
}

function filler({ text, brief }: ProseJudged): readonly Fault[] {
  const found = FILLERS.filter((words) => quoteOf(brief, words) === undefined)
    .map((words) => quoteOf(text, words))
    .find((quote) => quote !== undefined);
  if (found === undefined) return [];
  return [{ ...fault("wordy", `“${found}” is filler.`, found), severity: "warning" }];
}

function fault(code: string, message: string, quote?: string): Fault {
  return {
    severity: "error",
    code,
    message,
    field: "content",
    ...defined({ quote }),
  };
}
