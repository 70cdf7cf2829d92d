import { z } from "zod";
import type {
  ChunkSummary,
  EpisodeSummary,
  LinkRef,
} from "../../domain/episodes/transcript-chunk.ts";
import { unwrapEnvelope } from "../agents/unwrap-envelope.ts";
import { cleanText } from "../drafting/clean-text.ts";
import { findJson } from "../drafting/json-reply.ts";

export type ChunkDigest = Omit<ChunkSummary, "chunkId" | "createdAt" | "provenance">;
export type EpisodeDigest = Omit<EpisodeSummary, "createdAt" | "provenance">;

export type ReadSummary<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "unclear"; readonly error: string };

const words = z.array(z.string()).catch([]);
const links = z
  .array(z.union([z.string(), z.object({ url: z.string(), label: z.string().nullish() })]))
  .catch([]);
const summary = z.string().refine((text) => text.trim() !== "");
const chunkReply = z.object({ summary_markdown: summary, bullets: words, entities: words, links });
const episodeReply = z.object({
  summary_markdown: summary,
  key_points: words,
  topics: words,
  links,
});

/** Read generously: lists that are missing or of another shape are empty, but there must be a summary. */
export function readChunkSummary(text: string): ReadSummary<ChunkDigest> {
  return read(text, chunkReply, (said) => ({
    summaryMarkdown: withNewline(said.summary_markdown),
    bullets: said.bullets,
    entities: said.entities,
    links: said.links.map(asLink),
  }));
}

export function readEpisodeSummary(text: string): ReadSummary<EpisodeDigest> {
  return read(text, episodeReply, (said) => ({
    summaryMarkdown: withNewline(said.summary_markdown),
    keyPoints: said.key_points,
    topics: said.topics,
    links: said.links.map(asLink),
  }));
}

/** The reply as a model of this form would send it; what `readChunkSummary` reads back. */
export function writeChunkSummary({ summaryMarkdown, ...rest }: ChunkDigest): string {
  return JSON.stringify({ summary_markdown: summaryMarkdown, ...rest });
}

export function writeEpisodeSummary(said: EpisodeDigest): string {
  const { summaryMarkdown, keyPoints, topics, links: found } = said;
  return JSON.stringify({
    summary_markdown: summaryMarkdown,
    key_points: keyPoints,
    topics,
    links: found,
  });
}

function read<Said, Value>(
  text: string,
  shape: z.ZodType<Said>,
  toValue: (said: Said) => Value,
): ReadSummary<Value> {
  const json = findJson(cleanText(unwrapEnvelope(text)));
  if (json.kind === "broken") return { kind: "unclear", error: json.error };
  if (json.kind === "none") return { kind: "unclear", error: "the reply holds no JSON object" };
  for (const object of json.objects) {
    const parsed = shape.safeParse(object);
    if (parsed.success) return { kind: "read", value: toValue(parsed.data) };
  }
  return { kind: "unclear", error: 'the JSON object has no text under "summary_markdown"' };
}

function asLink(said: string | { url: string; label?: string | null | undefined }): LinkRef {
  if (typeof said === "string") return { url: said };
  const { url, label } = said;
  return label === null || label === undefined ? { url } : { url, label };
}

function withNewline(text: string): string {
  return `${text.trim()}\n`;
}
