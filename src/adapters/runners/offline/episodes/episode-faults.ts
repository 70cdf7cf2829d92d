import type { AssetKind } from "../../../../domain/episodes/asset-kind.ts";
import { guessLanguage } from "../../../../domain/episodes/language.ts";
import { parseTags } from "../../../../domain/episodes/tag-list.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import { type Critic, criticOf, type FaultRule, quotingRule, unless } from "../fault.ts";
import { cliches, finderOf, firstRepeated, subjectsOf, wordsOf } from "../words.ts";
import { type EpisodeFacts, episodeFacts } from "./episode-facts.ts";

/** What the stand-in reviewer finds in a text; the writer asks the same before it says that it is done. */
export function episodeCritic(kind: AssetKind, brief: string): Critic {
  return criticFor(kind, episodeFacts(brief));
}

export function criticFor(kind: AssetKind, facts: EpisodeFacts): Critic {
  const own = rulesOf[kind].map((code) => [code, rules[code]]);
  return criticOf<EpisodeFacts>(Object.fromEntries(own), facts);
}

export function isEpisodeFault(code: string): boolean {
  return Object.hasOwn(rules, code);
}

const findCliche = finderOf(cliches);

/** By the code of the fault that each looks for. */
const rules = {
  missing_hosts: absent("Listeners look for names; mention", ({ hosts }) => hosts),
  missing_chapters: absent("Chapters are not listed:", ({ chapters }) =>
    chapters.map(({ title }) => title),
  ),
  missing_links: absent("Links from the conversation are missing:", ({ links }) => links),
  missing_subject: unless("Nothing says what the episode is about.", namesSubject),
  missing_question: unless("A post without a question gets no answers; end with one.", (text) =>
    text.includes("?"),
  ),
  missing_takeaways: unless(
    "Give at least two concrete points from the conversation.",
    (text, { statements }) =>
      statements.filter((one) => text.includes(one)).length >= Math.min(2, statements.length),
  ),
  too_few_tags: unless(
    "These tags are too few to be found by; five or more are useful.",
    (text, { topics }) => parseTags(text).length >= Math.min(5, topics.length),
  ),
  wrong_language: unless(
    "The text is not in the language of the episode.",
    (text, { language }) => wordsOf(text).length < 15 || guessLanguage(text) === language,
  ),
  filler: quotingRule("Worn-out phrase; say the thing itself.", (text) => findCliche(text)),
  transcript_label: quotingRule(
    "A time mark and speaker were left in the text.",
    (text) => /^\d\d:\d\d:\d\d \p{Lu}[\p{L} ]*:/mu.exec(text)?.[0],
  ),
  repeated_sentence: quotingRule("This sentence is there twice.", (text) =>
    firstRepeated(sentencesIn(text).filter((sentence) => sentence.length > 30)),
  ),
  ungrounded: quotingRule("Nothing in the episode supports this sentence.", inventedIn),
} satisfies { readonly [code: string]: FaultRule<EpisodeFacts> };

type RuleName = keyof typeof rules;

const prose: readonly RuleName[] = [
  "wrong_language",
  "filler",
  "transcript_label",
  "repeated_sentence",
  "ungrounded",
];

const rulesOf: { readonly [kind in AssetKind]: readonly RuleName[] } = {
  description: ["missing_subject", "missing_hosts", "missing_takeaways", ...prose],
  shownotes: ["missing_links", "missing_chapters", ...prose],
  summary_short: ["missing_subject", "missing_hosts", ...prose],
  title_detail: ["missing_subject", ...prose],
  title_seo: ["missing_subject", ...prose],
  subtitle_auphonic: ["missing_hosts", ...prose],
  slug: [],
  cms_tags: ["too_few_tags"],
  audio_tags: ["too_few_tags"],
  itunes_keywords: ["too_few_tags"],
  mastodon: ["missing_hosts", ...prose],
  linkedin: ["missing_takeaways", "missing_question", ...prose],
  youtube_description: ["missing_subject", "missing_chapters", "missing_links", ...prose],
};

export function namesSubject(text: string, { topics, language }: EpisodeFacts): boolean {
  const subjects = new Set(subjectsOf(text, language));
  const known = topics.slice(0, 6).flatMap((topic) => subjectsOf(topic, language));
  return known.length === 0 || known.some((subject) => subjects.has(subject));
}

/** A claim without any word of the episode. Hashtags join words and addresses are no words: neither claims anything. */
function inventedIn(text: string, { vocabulary, language }: EpisodeFacts): string | undefined {
  const claims = sentencesIn(text.replace(/#[\p{L}\p{N}_]+|https?:\S+/gu, ""));
  return claims.find((sentence) => {
    const subjects = subjectsOf(sentence, language);
    const isClaim = subjects.length >= 4 && !sentence.endsWith("?") && vocabulary.size > 0;
    return isClaim && !subjects.some((subject) => vocabulary.has(subject));
  });
}

function sentencesIn(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/^[-–#\s]+/u, ""));
  return lines.flatMap(sentencesOf);
}

function absent(
  message: string,
  wanted: (facts: EpisodeFacts) => readonly string[],
): FaultRule<EpisodeFacts> {
  return (text, facts) => {
    const missing = wanted(facts).filter((one) => !text.includes(one));
    return missing.length === 0 ? undefined : { message: `${message} ${missing.join(", ")}.` };
  };
}
