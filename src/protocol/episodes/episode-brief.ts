import { type Chapter, parseChapters, renderChapters } from "../../domain/episodes/chapter.ts";

/** What writers and reviewers know about the episode. */
export interface EpisodeBrief {
  readonly episodeId: string;
  /** Language of the texts, e.g. `en` or `de`. */
  readonly language: string;
  readonly hosts: readonly string[];
  readonly summary: string;
  readonly keyPoints: readonly string[];
  readonly topics: readonly string[];
  readonly chapters: readonly Chapter[];
  readonly links: readonly string[];
  /** The beginning of the transcript. */
  readonly excerpt: string;
}

/**
 * The brief of every episode text, as prose for models. Rule-based stand-ins read the same words back with
 * `parseEpisodeBrief`, so they know no more than the prompt says.
 */
export function renderEpisodeBrief(brief: EpisodeBrief): string {
  const parts: readonly (readonly [string, string])[] = [
    ["Episode", brief.episodeId],
    ["Language", brief.language],
    ["Hosts (use no other names for them)", brief.hosts.join("\n")],
    ["Summary", brief.summary.trim()],
    ["Key points", bullets(brief.keyPoints)],
    ["Topics", bullets(brief.topics)],
    ["Chapters", renderChapters(brief.chapters).trimEnd()],
    ["Links", bullets(brief.links)],
    ["Transcript, beginning", cutExcerpt(brief.excerpt)],
  ];
  return parts
    .filter(([, body]) => body !== "")
    .map(([heading, body]) => `## ${heading}\n${shield(body)}\n`)
    .join("\n");
}

/** Reads what `renderEpisodeBrief` wrote; a brief in other words becomes the summary. */
export function parseEpisodeBrief(text: string): EpisodeBrief {
  const sections = sectionsOf(text);
  const section = (heading: string): string => sections.get(heading) ?? "";
  const known = sections.has("Episode");
  return {
    episodeId: section("Episode"),
    language: section("Language") || "en",
    hosts: lines(section("Hosts (use no other names for them)")),
    summary: known ? section("Summary") : text.trim(),
    keyPoints: listed(section("Key points")),
    topics: listed(section("Topics")),
    chapters: section("Chapters") === "" ? [] : parseChapters(section("Chapters")),
    links: listed(section("Links")),
    excerpt: section("Transcript, beginning"),
  };
}

/** How much of the transcript a brief holds. */
export const excerptCharacters = 4000;

function cutExcerpt(excerpt: string): string {
  const clean = excerpt.trim();
  const points = [...clean];
  if (points.length <= excerptCharacters) return clean;
  return `${points.slice(0, excerptCharacters).join("").trimEnd()}\n[...truncated]`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.replace(/\s+/g, " ").trim()}`).join("\n");
}

/** A line that looks like one of our headings is not one. */
function shield(body: string): string {
  return body.replace(/^(\\*## )/gm, "\\$1");
}

function sectionsOf(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const part of `\n${text}`.split("\n## ").slice(1)) {
    const end = part.indexOf("\n");
    const body = end < 0 ? "" : part.slice(end + 1);
    sections.set(
      (end < 0 ? part : part.slice(0, end)).trim(),
      body.replace(/^\\(\\*## )/gm, "$1").trim(),
    );
  }
  return sections;
}

function lines(body: string): readonly string[] {
  return body
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function listed(body: string): readonly string[] {
  return lines(body).map((line) => line.replace(/^- /, ""));
}
