import type { Severity } from "../../../domain/drafting/review.ts";
import type { AssetKind } from "../../../domain/episodes/asset-kind.ts";
import { guessLanguage } from "../../../domain/episodes/language.ts";
import { foldCase, parseTags } from "../../../domain/episodes/tag-list.ts";
import { sentencesOf } from "../../../domain/values/sentences.ts";
import type { EpisodeFacts } from "./episode-facts.ts";
import { codePoints, subjectsOf, wordsOf } from "./words.ts";

/** A concrete objection that the writer knows how to answer. */
export interface EpisodeFault {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly quote?: string;
}

type Judge = (text: string, facts: EpisodeFacts) => EpisodeFault | undefined;

/** What the stand-in reviewer finds in a text; the writer asks the same before it says that it is done. */
export function episodeFaults(
  kind: AssetKind,
  text: string,
  facts: EpisodeFacts,
): readonly EpisodeFault[] {
  const judges = [...judgesOf[kind], ...(isProse(kind) ? proseJudges : [])];
  return judges.flatMap((judge) => judge(text, facts) ?? []);
}

function isProse(kind: AssetKind): boolean {
  return !["slug", "cms_tags", "audio_tags", "itunes_keywords"].includes(kind);
}

const namesHosts: Judge = (text, { hosts }) => {
  const missing = hosts.filter((host) => !text.includes(host));
  if (missing.length === 0) return undefined;
  return error(
    "missing_hosts",
    `Listeners look for names: ${missing.join(" and ")} should be mentioned.`,
  );
};

const listsChapters: Judge = (text, { chapters }) => {
  const missing = chapters.filter((chapter) => !text.includes(chapter.title));
  if (missing.length === 0) return undefined;
  return error(
    "missing_chapters",
    `${missing.length} of ${chapters.length} chapters are not listed, the first is "${missing[0]?.title}".`,
  );
};

const hasLinks: Judge = (text, { links }) => {
  const missing = links.filter((link) => !text.includes(link));
  if (missing.length === 0) return undefined;
  return error("missing_links", `A link from the conversation is missing: ${missing[0]}`);
};

const namesSubject: Judge = (text, facts) => {
  const subjects = new Set(subjectsOf(text, facts.language));
  const known = facts.topics.slice(0, 6).flatMap((topic) => subjectsOf(topic, facts.language));
  if (known.length === 0 || known.some((subject) => subjects.has(subject))) return undefined;
  return error(
    "missing_subject",
    `Nothing tells what the episode is about; name ${facts.topics[0]}.`,
  );
};

const asksReaders: Judge = (text) =>
  /\?/.test(text)
    ? undefined
    : error("missing_question", "A post without a question gets no answers; end with one.");

const hasTakeaways: Judge = (text, { statements }) => {
  const quoted = statements.filter((statement) => text.includes(statement)).length;
  if (quoted >= Math.min(2, statements.length)) return undefined;
  return error("missing_takeaways", "Give at least two concrete points from the conversation.");
};

const enoughTags: Judge = (text, { topics }) => {
  const count = parseTags(text).length;
  if (count >= Math.min(5, topics.length)) return undefined;
  return error(
    "too_few_tags",
    `${count} tags are too few to be found by; five or more are useful.`,
  );
};

const briefTags: Judge = (text) => {
  const long = parseTags(text).find((tag) => codePoints(tag) > 40);
  return long === undefined
    ? undefined
    : { ...error("long_tag", "A tag is a word or two, not a sentence."), quote: long };
};

const shortSlug: Judge = (text) =>
  codePoints(text.trim()) <= 60
    ? undefined
    : error("long_slug", "An address beyond 60 characters is cut when shared.");

const inLanguage: Judge = (text, { language }) => {
  if (wordsOf(text).length < 15 || guessLanguage(text) === language) return undefined;
  return error("wrong_language", `The text should be in the language "${language}".`);
};

const noFiller: Judge = (text) => {
  const quote =
    /\b(delve|in today's fast-paced|game[- ]changer|unleash|in der heutigen schnelllebigen|dive deep|tapestry)\b[^.!?]*/i.exec(
      text,
    )?.[0];
  return quote === undefined
    ? undefined
    : { ...error("filler", "Worn-out phrase; say the thing itself."), quote: quote.slice(0, 80) };
};

const noTimeLabels: Judge = (text) => {
  const quote = /^\d\d:\d\d:\d\d \p{Lu}[\p{L} ]*:/mu.exec(text)?.[0];
  return quote === undefined
    ? undefined
    : {
        ...error(
          "transcript_label",
          "A time mark and speaker of the transcript was left in the text.",
        ),
        quote,
      };
};

const noRepetition: Judge = (text) => {
  const seen = new Set<string>();
  for (const sentence of text.split("\n").flatMap(sentencesOf)) {
    const fold = foldCase(sentence.replace(/^[-–#\s]+/u, ""));
    if (fold.length > 30 && seen.has(fold)) {
      return { ...error("repeated_sentence", "This sentence is there twice."), quote: sentence };
    }
    seen.add(fold);
  }
  return undefined;
};

const grounded: Judge = (text, { vocabulary, language }) => {
  if (vocabulary.size === 0) return undefined;
  for (const sentence of text.split("\n").flatMap(sentencesOf)) {
    const subjects = subjectsOf(sentence, language);
    if (sentence.endsWith("?")) continue;
    if (subjects.length >= 4 && !subjects.some((subject) => vocabulary.has(subject))) {
      return {
        ...error("ungrounded", "Nothing in the episode supports this sentence."),
        quote: sentence,
      };
    }
  }
  return undefined;
};

const proseJudges: readonly Judge[] = [inLanguage, noFiller, noTimeLabels, noRepetition, grounded];

const judgesOf: { readonly [kind in AssetKind]: readonly Judge[] } = {
  description: [namesSubject, namesHosts, hasTakeaways],
  shownotes: [hasLinks, listsChapters],
  summary_short: [namesSubject, namesHosts],
  title_detail: [namesSubject],
  title_seo: [namesSubject],
  subtitle_auphonic: [namesHosts],
  slug: [shortSlug],
  cms_tags: [enoughTags, briefTags],
  audio_tags: [enoughTags, briefTags],
  itunes_keywords: [enoughTags, briefTags],
  mastodon: [namesHosts],
  linkedin: [hasTakeaways, asksReaders],
  youtube_description: [namesSubject, listsChapters, hasLinks],
};

function error(code: string, message: string): EpisodeFault {
  return { code, severity: "error", message };
}
