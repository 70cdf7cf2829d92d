import { guessLanguage, type KnownLanguage } from "../../../../domain/episodes/language.ts";
import { parseTranscript } from "../../../../domain/episodes/transcript.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import {
  type EpisodeBrief,
  parseEpisodeBrief,
} from "../../../../protocol/episodes/episode-brief.ts";
import { subjectsOf } from "../words.ts";
import { keyTerms, tellingSentences } from "./extract.ts";

/** The brief as the stand-ins use it: nothing in here that the brief does not say. */
export interface EpisodeFacts extends Omit<EpisodeBrief, "language"> {
  readonly language: KnownLanguage;
  /** Whole sentences to quote from, never empty unless the brief is. */
  readonly statements: readonly string[];
  /** The subjects of every sentence of the brief. */
  readonly vocabulary: ReadonlySet<string>;
}

export function episodeFacts(text: string): EpisodeFacts {
  const brief = parseEpisodeBrief(text);
  const prose = [brief.summary, ...brief.keyPoints, spokenIn(brief.excerpt)].join("\n");
  const language = knownLanguage(brief.language) ?? guessLanguage(prose);
  const sentences = sentencesOf(prose.replace(/^[#>*-]+\s*/gm, ""));
  const telling =
    brief.keyPoints.length > 0 ? brief.keyPoints : tellingSentences(sentences, language, 8);
  const topics = brief.topics.length > 0 ? brief.topics : keyTerms(sentences, language, 8);
  return {
    ...brief,
    episodeId: brief.episodeId || "episode",
    language,
    statements: telling.length > 0 ? telling : sentences.slice(0, 3),
    topics: chaptersFirst(topics, brief, language),
    links: urlsIn([...brief.links, prose].join("\n")),
    vocabulary: new Set(subjectsOf(text, language)),
  };
}

export function knownLanguage(language: string): KnownLanguage | undefined {
  const short = language.slice(0, 2);
  return short === "de" || short === "en" ? short : undefined;
}

/** Every address once, without a label before it and punctuation behind it. */
export function urlsIn(text: string): readonly string[] {
  const urls = text.match(/https?:\/\/[^\s<>"'“”)\]}]+/g) ?? [];
  return [...new Set(urls.map((url) => url.replace(/[.,;:!?]+$/, "")))];
}

/** Without time marks and speakers' labels: a quoted sentence must not begin with one. */
function spokenIn(excerpt: string): string {
  const cues = parseTranscript(excerpt.replace(/\s*\[\.\.\.truncated\]$/u, ""));
  return cues.map((cue) => cue.text).join("\n");
}

/** What people thought worth a chapter title matters more than what is merely said often. */
function chaptersFirst(
  topics: readonly string[],
  { chapters, hosts }: EpisodeBrief,
  language: KnownLanguage,
): readonly string[] {
  const titled = new Set(subjectsOf(chapters.map(({ title }) => title).join(" "), language));
  const isTitled = (topic: string) => subjectsOf(topic, language).some((one) => titled.has(one));
  return topics
    .filter((topic) => !hosts.includes(topic))
    .toSorted((left, right) => Number(isTitled(right)) - Number(isTitled(left)));
}
