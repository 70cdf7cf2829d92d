import { speakersOf } from "../../../../domain/episodes/cue.ts";
import { guessLanguage, type KnownLanguage } from "../../../../domain/episodes/language.ts";
import { uniqueFolded } from "../../../../domain/episodes/tag-list.ts";
import { parseTranscript } from "../../../../domain/episodes/transcript.ts";
import type { ChunkSummary, LinkRef } from "../../../../domain/episodes/transcript-chunk.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import type { ChunkDigest, EpisodeDigest } from "../../../../protocol/episodes/summary-reply.ts";
import { stem } from "../words.ts";
import { knownLanguage, urlsIn } from "./episode-facts.ts";
import { keyTerms, tellingSentences } from "./extract.ts";

/** An extract of one chunk: its own sentences, without time marks and speakers' labels. */
export function summarizeChunkOffline(text: string, language = ""): ChunkDigest {
  const cues = parseTranscript(text);
  const spoken = cues.map((cue) => cue.text).join(" ");
  const known = knownLanguage(language) ?? guessLanguage(spoken);
  const sentences = cues.flatMap((cue) => sentencesOf(cue.text));
  return {
    summaryMarkdown: `${tellingSentences(sentences, known, 3).join(" ") || spoken.slice(0, 300)}\n`,
    bullets: tellingSentences(sentences, known, 5),
    entities: uniqueFolded([...speakersOf(cues), ...keyTerms(sentences, known, 10)]).slice(0, 12),
    links: urlsIn(spoken).map((url) => ({ url })),
  };
}

type Part = Pick<ChunkSummary, "bullets" | "entities" | "links"> &
  Partial<Pick<ChunkSummary, "summaryMarkdown">>;

/**
 * An extract of the extracts. A long episode is reduced group by group: the key points and topics of a group
 * are the bullets and entities of the next stage.
 */
export function summarizeEpisodeOffline(
  parts: readonly Part[],
  about: { readonly language?: string; readonly speakers?: readonly string[] } = {},
): EpisodeDigest {
  const bullets = uniqueFolded(parts.flatMap((part) => part.bullets));
  const language = knownLanguage(about.language ?? "") ?? guessLanguage(bullets.join(" "));
  const telling = tellingSentences(bullets, language, 12);
  const keyPoints = telling.length > 0 ? telling : firstSentences(parts);
  return {
    summaryMarkdown: `${keyPoints.slice(0, 4).join(" ")}\n\n${keyPoints.map((point) => `- ${point}\n`).join("")}`,
    keyPoints,
    topics: topicsOf(parts, language, about.speakers ?? []),
    links: uniqueLinks(parts.flatMap((part) => part.links)),
  };
}

/** Where nothing tells more than the rest, how each part begins. */
function firstSentences(parts: readonly Part[]): readonly string[] {
  const begun = parts.flatMap(({ summaryMarkdown = "" }) =>
    sentencesOf(summaryMarkdown.replace(/^[#>*-]+\s*/gm, "")).slice(0, 1),
  );
  return uniqueFolded(begun).slice(0, 12);
}

/** What most parts are about comes first; people who speak are not what they speak about. */
function topicsOf(
  parts: readonly Part[],
  language: KnownLanguage,
  speakers: readonly string[],
): readonly string[] {
  const weights = new Map<string, { readonly topic: string; readonly weight: number }>();
  for (const { entities } of parts) {
    for (const [index, topic] of entities.filter((one) => !speakers.includes(one)).entries()) {
      const known = weights.get(stem(topic, language)) ?? { topic, weight: 0 };
      const weight = known.weight + 1 / (index + 1);
      weights.set(stem(topic, language), { topic: known.topic, weight });
    }
  }
  const ranked = [...weights.values()].sort((left, right) => right.weight - left.weight);
  return ranked.slice(0, 12).map(({ topic }) => topic);
}

function uniqueLinks(links: readonly LinkRef[]): readonly LinkRef[] {
  return [...new Map(links.map((link) => [link.url, link])).values()];
}
