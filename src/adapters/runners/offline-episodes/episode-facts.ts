import { guessLanguage, type KnownLanguage } from "../../../domain/episodes/language.ts";
import { parseTranscript } from "../../../domain/episodes/transcript.ts";
import { sentencesOf } from "../../../domain/values/sentences.ts";
import { type EpisodeBrief, parseEpisodeBrief } from "../../../protocol/episodes/episode-brief.ts";
import { keyTerms } from "./key-terms.ts";
import { tellingSentences } from "./telling-sentences.ts";
import { subjectsOf } from "./words.ts";

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
  const language =
    brief.language.slice(0, 2) === "de" || brief.language.slice(0, 2) === "en"
      ? (brief.language.slice(0, 2) as KnownLanguage)
      : guessLanguage(prose);
  const sentences = sentencesOf(prose.replace(/^[#>*-]+\s*/gm, ""));
  const told =
    brief.keyPoints.length > 0 ? brief.keyPoints : tellingSentences(sentences, language, 8);
  const statements = told.length > 0 ? told : sentences.slice(0, 3);
  const topics = brief.topics.length > 0 ? brief.topics : keyTerms(sentences, language, 8);
  return {
    ...brief,
    episodeId: brief.episodeId || "episode",
    language,
    statements,
    topics: chaptersFirst(topics, brief, language),
    vocabulary: new Set(subjectsOf(text, language)),
  };
}

/** Without time marks and speakers' labels: a quoted sentence must not begin with one. */
function spokenIn(excerpt: string): string {
  const { cues } = parseTranscript(excerpt.replace(/\s*\[\.\.\.truncated\]$/u, ""));
  return cues.map((cue) => cue.text).join("\n");
}

/** What people thought worth a chapter title matters more than what is merely said often. */
function chaptersFirst(
  topics: readonly string[],
  { chapters, hosts }: EpisodeBrief,
  language: KnownLanguage,
): readonly string[] {
  const titled = new Set(subjectsOf(chapters.map((chapter) => chapter.title).join(" "), language));
  const isTitled = (topic: string): boolean =>
    subjectsOf(topic, language).some((one) => titled.has(one));
  const named = language === "en" ? chapters.flatMap(({ title }) => compoundsIn(title)) : [];
  const covered = new Set(named.flatMap((name) => subjectsOf(name, language)));
  const free = topics
    .filter((topic) => !hosts.includes(topic))
    .filter((topic) => !subjectsOf(topic, language).some((one) => covered.has(one)));
  return [...named, ...free.filter(isTitled), ...free.filter((topic) => !isTitled(topic))];
}

/** “library of things”: a subject that only its whole name tells. */
function compoundsIn(title: string): readonly string[] {
  return title.match(/(?<=\b(?:an?|the) )[\p{Ll}-]{4,} of [\p{Ll}-]{4,}/giu) ?? [];
}
