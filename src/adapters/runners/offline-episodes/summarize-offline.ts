import { speakersOf } from "../../../domain/episodes/cue.ts";
import { guessLanguage, type KnownLanguage } from "../../../domain/episodes/language.ts";
import { uniqueFolded } from "../../../domain/episodes/tag-list.ts";
import { parseTranscript } from "../../../domain/episodes/transcript.ts";
import type { ChunkSummary, LinkRef } from "../../../domain/episodes/transcript-chunk.ts";
import { sentencesOf } from "../../../domain/values/sentences.ts";
import type { ChunkDigest, EpisodeDigest } from "../../../protocol/episodes/summary-reply.ts";
import { keyTerms } from "./key-terms.ts";
import { tellingSentences } from "./telling-sentences.ts";
import { stem } from "./words.ts";

/** An extract of one chunk: its own sentences, without time marks and speakers' labels. */
export function summarizeChunkOffline(text: string, language?: KnownLanguage): ChunkDigest {
  const { cues } = parseTranscript(text);
  const spoken = cues.map((cue) => cue.text).join(" ");
  const tongue = language ?? guessLanguage(spoken);
  const sentences = cues.flatMap((cue) => sentencesOf(cue.text));
  const bullets = tellingSentences(sentences, tongue, 5);
  return {
    summaryMarkdown: `${tellingSentences(sentences, tongue, 3).join(" ") || spoken.slice(0, 300)}\n`,
    bullets,
    entities: uniqueFolded([...speakersOf(cues), ...keyTerms(sentences, tongue, 10)]).slice(0, 12),
    links: linksIn(spoken),
  };
}

/**
 * An extract of the extracts. A long episode is reduced group by group: the key points and topics of a group
 * stand as bullets and entities in the next stage.
 */
export function summarizeEpisodeOffline(
  chunks: readonly (Pick<ChunkSummary, "bullets" | "entities" | "links"> &
    Partial<Pick<ChunkSummary, "summaryMarkdown">>)[],
  about: { readonly language?: KnownLanguage; readonly speakers?: readonly string[] } = {},
): EpisodeDigest {
  const bullets = uniqueFolded(chunks.flatMap((chunk) => chunk.bullets));
  const tongue = about.language ?? guessLanguage(bullets.join(" "));
  const telling = tellingSentences(bullets, tongue, 12);
  const keyPoints = telling.length > 0 ? telling : firstSentences(chunks);
  const lead = tellingSentences(keyPoints, tongue, 4);
  return {
    summaryMarkdown: `${(lead.length > 0 ? lead : keyPoints.slice(0, 4)).join(" ")}\n\n${list(keyPoints)}`,
    keyPoints,
    topics: topicsOf(chunks, tongue, about.speakers ?? []),
    links: uniqueLinks(chunks.flatMap((chunk) => chunk.links)),
  };
}

/** Where nothing tells more than the rest, how each part begins. */
function firstSentences(
  parts: readonly Partial<Pick<ChunkSummary, "summaryMarkdown">>[],
): readonly string[] {
  const begun = parts.flatMap(({ summaryMarkdown = "" }) =>
    sentencesOf(summaryMarkdown.replace(/^[#>*-]+\s*/gm, "")).slice(0, 1),
  );
  return uniqueFolded(begun).slice(0, 12);
}

/** What most chunks are about comes first; people who speak are not what they speak about. */
function topicsOf(
  chunks: readonly Pick<ChunkSummary, "entities">[],
  language: KnownLanguage,
  speakers: readonly string[],
): readonly string[] {
  const found = new Map<string, { topic: string; weight: number }>();
  for (const { entities } of chunks) {
    for (const [index, topic] of entities.filter((one) => !speakers.includes(one)).entries()) {
      const stems = topic
        .split(" ")
        .map((word) => stem(word, language))
        .join(" ");
      const known = found.get(stems) ?? { topic, weight: 0 };
      found.set(stems, { topic: known.topic, weight: known.weight + 1 / (index + 1) });
    }
  }
  return [...found.values()]
    .sort((left, right) => right.weight - left.weight)
    .slice(0, 12)
    .map((one) => one.topic);
}

export function linksIn(text: string): readonly LinkRef[] {
  const urls = text.match(/https?:\/\/[^\s<>"'“”)\]}]+/g) ?? [];
  return uniqueLinks(urls.map((url) => ({ url: url.replace(/[.,;:!?]+$/, "") })));
}

function uniqueLinks(links: readonly LinkRef[]): readonly LinkRef[] {
  return [...new Map(links.map((link) => [link.url, link])).values()];
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}\n`).join("");
}
