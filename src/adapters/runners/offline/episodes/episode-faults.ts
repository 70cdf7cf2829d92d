import type { AssetKind } from "../../../../domain/episodes/asset-kind.ts";
import { guessLanguage } from "../../../../domain/episodes/language.ts";
import { foldCase, parseTags } from "../../../../domain/episodes/tag-list.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import { type Fault, fault } from "../fault.ts";
import { cliches, codePoints, quoteOf, subjectsOf, wordsOf } from "../words.ts";
import type { EpisodeFacts } from "./episode-facts.ts";

type Rule = (text: string, facts: EpisodeFacts) => Fault | undefined;

/** What the stand-in reviewer finds in a text; the writer asks the same before it says that it is done. */
export function episodeFaults(
  kind: AssetKind,
  text: string,
  facts: EpisodeFacts,
): readonly Fault[] {
  return rulesOf[kind].flatMap((name) => rules[name](text, facts) ?? []);
}

export function isEpisodeFault(code: string): boolean {
  return Object.hasOwn(rules, code);
}

/** By the code of the fault that each looks for. */
const rules = {
  missing_hosts: (text, { hosts }) =>
    missing(hosts, text, "missing_hosts", "Listeners look for names; mention"),
  missing_chapters: (text, { chapters }) => {
    const titles = chapters.map(({ title }) => title);
    return missing(titles, text, "missing_chapters", "Chapters are not listed:");
  },
  missing_links: (text, { links }) =>
    missing(links, text, "missing_links", "Links from the conversation are missing:"),
  missing_subject: (text, facts) =>
    namesSubject(text, facts)
      ? undefined
      : fault(
          "missing_subject",
          `Nothing says what the episode is about; name ${facts.topics[0]}.`,
        ),
  missing_question: (text) =>
    text.includes("?")
      ? undefined
      : fault("missing_question", "A post without a question gets no answers; end with one."),
  missing_takeaways: (text, { statements }) => {
    const quoted = statements.filter((statement) => text.includes(statement)).length;
    if (quoted >= Math.min(2, statements.length)) return undefined;
    return fault("missing_takeaways", "Give at least two concrete points from the conversation.");
  },
  too_few_tags: (text, { topics }) => {
    const count = parseTags(text).length;
    if (count >= Math.min(5, topics.length)) return undefined;
    return fault(
      "too_few_tags",
      `${count} tags are too few to be found by; five or more are useful.`,
    );
  },
  long_tag: (text) => {
    const long = parseTags(text).find((tag) => codePoints(tag) > 40);
    return quoted("long_tag", "A tag is a word or two, not a sentence.", long);
  },
  long_slug: (text) =>
    codePoints(text.trim()) <= 60
      ? undefined
      : fault("long_slug", "An address beyond 60 characters is cut when shared."),
  wrong_language: (text, { language }) =>
    wordsOf(text).length < 15 || guessLanguage(text) === language
      ? undefined
      : fault("wrong_language", `The text should be in the language "${language}".`),
  filler: (text) => {
    const found = cliches
      .map((phrase) => quoteOf(text, phrase))
      .find((quote) => quote !== undefined);
    return quoted("filler", "Worn-out phrase; say the thing itself.", found);
  },
  transcript_label: (text) => {
    const label = /^\d\d:\d\d:\d\d \p{Lu}[\p{L} ]*:/mu.exec(text)?.[0];
    return quoted("transcript_label", "A time mark and speaker were left in the text.", label);
  },
  repeated_sentence: (text) => {
    const seen = new Set<string>();
    const twice = sentencesIn(text)
      .filter((sentence) => sentence.length > 30)
      .find((sentence) => seen.size === seen.add(foldCase(sentence)).size);
    return quoted("repeated_sentence", "This sentence is there twice.", twice);
  },
  ungrounded: (text, { vocabulary, language }) => {
    // Hashtags join words and addresses are no words; neither claims anything.
    const claims = text.replace(/#[\p{L}\p{N}_]+|https?:\S+/gu, "");
    const invented = sentencesIn(claims).find((sentence) => {
      const subjects = subjectsOf(sentence, language);
      const isClaim = subjects.length >= 4 && !sentence.endsWith("?") && vocabulary.size > 0;
      return isClaim && !subjects.some((subject) => vocabulary.has(subject));
    });
    return quoted("ungrounded", "Nothing in the episode supports this sentence.", invented);
  },
} satisfies { readonly [code: string]: Rule };

type RuleName = keyof typeof rules;

const prose: readonly RuleName[] = [
  "wrong_language",
  "filler",
  "transcript_label",
  "repeated_sentence",
  "ungrounded",
];
const tags: readonly RuleName[] = ["too_few_tags", "long_tag"];

const rulesOf: { readonly [kind in AssetKind]: readonly RuleName[] } = {
  description: ["missing_subject", "missing_hosts", "missing_takeaways", ...prose],
  shownotes: ["missing_links", "missing_chapters", ...prose],
  summary_short: ["missing_subject", "missing_hosts", ...prose],
  title_detail: ["missing_subject", ...prose],
  title_seo: ["missing_subject", ...prose],
  subtitle_auphonic: ["missing_hosts", ...prose],
  slug: ["long_slug"],
  cms_tags: tags,
  audio_tags: tags,
  itunes_keywords: tags,
  mastodon: ["missing_hosts", ...prose],
  linkedin: ["missing_takeaways", "missing_question", ...prose],
  youtube_description: ["missing_subject", "missing_chapters", "missing_links", ...prose],
};

export function namesSubject(text: string, { topics, language }: EpisodeFacts): boolean {
  const subjects = new Set(subjectsOf(text, language));
  const known = topics.slice(0, 6).flatMap((topic) => subjectsOf(topic, language));
  return known.length === 0 || known.some((subject) => subjects.has(subject));
}

function missing(all: readonly string[], text: string, code: string, say: string) {
  const absent = all.filter((one) => !text.includes(one));
  return absent.length === 0 ? undefined : fault(code, `${say} ${absent.join(", ")}.`);
}

function quoted(code: string, message: string, quote: string | undefined): Fault | undefined {
  return quote === undefined ? undefined : fault(code, message, quote);
}

function sentencesIn(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/^[-–#\s]+/u, ""));
  return lines.flatMap(sentencesOf);
}
