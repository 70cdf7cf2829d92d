import { type AssetKind, formatOfKind } from "../../../../domain/episodes/asset-kind.ts";
import { clockTime } from "../../../../domain/episodes/clock-time.ts";
import { foldCase, uniqueFolded } from "../../../../domain/episodes/tag-list.ts";
import { capitalised } from "../../../../domain/values/capitalised.ts";
import { countCodePoints } from "../../../../domain/values/count-code-points.ts";
import { hashtags, rotated } from "../words.ts";
import type { EpisodeFacts } from "./episode-facts.ts";
import { namesSubject } from "./episode-faults.ts";

/** What a first draft of each kind hardly uses, to be criticised for it; other kinds are whole at once. */
const overlooked: {
  readonly [kind in AssetKind]?: "hosts" | "chapters" | "topics" | "statements" | "links";
} = {
  description: "hosts",
  shownotes: "chapters",
  summary_short: "hosts",
  subtitle_auphonic: "hosts",
  cms_tags: "topics",
  mastodon: "hosts",
  linkedin: "statements",
  youtube_description: "links",
};

/** One text of a kind, within the limits of its channel; each variant from 0 has other sentences and titles. */
export function composeEpisodeText(
  kind: AssetKind,
  facts: EpisodeFacts,
  { isFirst, variant }: { readonly isFirst: boolean; readonly variant: number },
): string {
  const { topics, statements, chapters, language } = facts;
  const titles = chapters.map(({ title }) => title);
  const named = titles.filter((title) => namesSubject(title, facts));
  const material: Material = {
    ...facts,
    topics: [...rotated(topics.slice(0, 5), variant), ...topics.slice(5)],
    titles: rotated(named, variant),
    statements: rotated(spread(statements, 4), variant),
    say: phrases[language],
    isMarkdown: formatOfKind(kind) === "markdown",
  };
  const fact = isFirst ? overlooked[kind] : undefined;
  const used = fact && { [fact]: material[fact].slice(0, material[fact].length / 4) };
  const parts = layouts[kind].map((part) => part({ ...material, ...used }));
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The few words of our own; everything else is quoted from the episode. */
const phrases = {
  en: {
    inThisEpisode: "In this episode",
    with: "With",
    about: "on",
    chapters: "Chapters",
    opening: "Opening",
    takeaways: "What to take away",
    noLinks: "No links were mentioned in this episode.",
    question: "What would you add from your own experience?",
  },
  de: {
    inThisEpisode: "In dieser Folge",
    with: "Mit",
    about: "über",
    chapters: "Kapitel",
    opening: "Beginn",
    takeaways: "Was bleibt",
    noLinks: "In dieser Folge wurden keine Links genannt.",
    question: "Was würdet ihr aus eigener Erfahrung ergänzen?",
  },
};

interface Material extends EpisodeFacts {
  /** Of the chapters that name a subject of the episode, beginning elsewhere for each variant. */
  readonly titles: readonly string[];
  readonly say: (typeof phrases)["en"];
  readonly isMarkdown: boolean;
}

/** A paragraph or section; empty if the episode has nothing for it. */
type Part = (material: Material) => string;

const layouts: { readonly [kind in AssetKind]: readonly Part[] } = {
  description: [lead, ({ statements }) => statements.join(" "), chapterList],
  shownotes: [lead, linkList, chapterList, takeaways],
  summary_short: [(material) => [lead(material), ...material.statements.slice(0, 1)].join(" ")],
  title_detail: [(material) => title(material, 99)],
  title_seo: [(material) => title(material, 69)],
  subtitle_auphonic: [subtitle],
  slug: [({ topics, episodeId }) => slug(topics.slice(0, 3)) || slug([episodeId]) || "episode"],
  cms_tags: [(material) => bullets(tags(material).slice(0, 8))],
  audio_tags: [(material) => bullets(["Podcast", ...tags(material).slice(0, 7)])],
  itunes_keywords: [keywords],
  mastodon: [lead, shortStatement, ({ links }) => links[0] ?? "", marks],
  linkedin: [lead, takeaways, ({ say }) => say.question, marks],
  youtube_description: [lead, takeaways, chapterList, linkList],
};

function lead({ topics, hosts, episodeId, language, say }: Material): string {
  const what = listed(topics.slice(0, 3), language) || episodeId;
  const opening = `${say.inThisEpisode}: ${what}.`;
  return hosts.length === 0 ? opening : `${opening} ${say.with} ${listed(hosts, language)}.`;
}

function takeaways(material: Material): string {
  return section(material, material.say.takeaways, material.statements);
}

function shortStatement({ statements }: Material): string {
  return statements.find((statement) => countCodePoints(statement) <= 200) ?? "";
}

function chapterList(material: Material): string {
  const { chapters, say, isMarkdown } = material;
  const isWhole = isMarkdown || (chapters[0]?.startSec ?? 1) < 1;
  const all = isWhole ? chapters : [{ title: say.opening, startSec: 0 }, ...chapters];
  const withHours = all.some(({ startSec }) => startSec >= 3600);
  const time = (startSec: number) => (startSec < 1 ? "00:00" : clockTime(startSec, withHours));
  return section(
    material,
    say.chapters,
    all.map((chapter) => `${time(chapter.startSec)} ${chapter.title}`),
  );
}

function linkList(material: Material): string {
  const { links, say, isMarkdown } = material;
  if (!isMarkdown) return section(material, "Links", links);
  const marked = links.map((link) => `<${link}>`);
  return section(material, "Links", marked.length > 0 ? marked : [say.noLinks]);
}

/** Chapter titles make the best titles. */
function title({ titles, topics, episodeId, language }: Material, limit: number): string {
  const forms = [...titles, listed(topics.slice(0, 3), language), topics[0] ?? episodeId];
  const fitting = forms.find((form) => form !== "" && countCodePoints(form) <= limit);
  return capitalised(fitting ?? cut(episodeId, limit));
}

function subtitle({ hosts, topics, episodeId, language, say }: Material): string {
  const what = listed(topics.slice(0, 4), language) || episodeId;
  const who = hosts.length === 0 ? "" : `${listed(hosts, language)} ${say.about} `;
  return `${cut(capitalised(`${who}${what}`), 250)}.`;
}

function keywords(material: Material): string {
  const all = tags(material).map((tag) => tag.toLowerCase().replaceAll(",", " "));
  return within(all.slice(0, 12), 255, ", ");
}

function marks(material: Material): string {
  return hashtags([...tags(material).slice(0, 3), "podcast"]);
}

function tags({ topics, episodeId }: Material): readonly string[] {
  return uniqueFolded(topics.length === 0 ? [episodeId] : topics).map(capitalised);
}

function slug(texts: readonly string[]): string {
  const spelled = foldCase(texts.join(" ")).replace(/[äöü]/gu, "$&e");
  const plain = spelled.normalize("NFKD").replace(/\p{M}+/gu, "");
  return within([...new Set(plain.match(/[a-z0-9]+/g) ?? [])], 60, "-");
}

/** Some of the items, from the whole list and not only from its beginning. */
function spread(items: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, at) => at % step === 0).slice(0, count);
}

function listed(items: readonly string[], language: string): string {
  return new Intl.ListFormat(language === "en" ? "en-GB" : language).format(items);
}

/** As many of the items as there is room for. */
function within(items: readonly string[], limit: number, between: string): string {
  return items.reduce((text, item) => {
    const longer = text === "" ? item : `${text}${between}${item}`;
    return countCodePoints(longer) <= limit ? longer : text;
  }, "");
}

function cut(text: string, limit: number): string {
  return [...text].slice(0, limit).join("").trim();
}

function section({ isMarkdown }: Material, heading: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  return isMarkdown ? `## ${heading}\n\n${bullets(items)}` : [heading, ...items].join("\n");
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
