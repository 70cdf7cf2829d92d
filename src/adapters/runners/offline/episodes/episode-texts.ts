import type { AssetKind } from "../../../../domain/episodes/asset-kind.ts";
import type { Chapter } from "../../../../domain/episodes/chapter.ts";
import { clockTime } from "../../../../domain/episodes/clock-time.ts";
import type { KnownLanguage } from "../../../../domain/episodes/language.ts";
import { uniqueFolded } from "../../../../domain/episodes/tag-list.ts";
import { capitalised, codePoints } from "../words.ts";
import type { EpisodeFacts } from "./episode-facts.ts";
import { namesSubject } from "./episode-faults.ts";

/** How one draft differs from another. */
export interface DraftChoice {
  /** The fault that this draft has; a first draft leaves one thing out and is criticised for it. */
  readonly gap: string | undefined;
  /** From 0: other sentences, another form of title. */
  readonly variant: number;
}

/** One text of a kind, within the limits of its channel. */
export function composeEpisodeText(
  kind: AssetKind,
  facts: EpisodeFacts,
  choice: DraftChoice,
): string {
  return composers[kind](facts, choice);
}

/** What a first draft of each kind lacks; kinds not named here are whole at once. */
export const firstDraftGaps: { readonly [kind in AssetKind]?: string } = {
  description: "missing_hosts",
  shownotes: "missing_chapters",
  summary_short: "missing_hosts",
  subtitle_auphonic: "missing_hosts",
  cms_tags: "too_few_tags",
  mastodon: "missing_hosts",
  linkedin: "missing_question",
  youtube_description: "missing_links",
};

/** The few words of our own; everything else is quoted from the episode. */
const phrases = {
  en: {
    and: "and",
    inThisEpisode: "In this episode",
    chapters: "Chapters",
    takeaways: "What to take away",
    noLinks: "No links were mentioned in this episode.",
    opening: "Opening",
    question: "What would you add from your own experience?",
    about: "on",
    from: "With",
    plain: /^(The|A|An|What|How|Why|When|Where|Our|Open|One|Two|Three)\b/,
  },
  de: {
    and: "und",
    inThisEpisode: "In dieser Folge",
    chapters: "Kapitel",
    takeaways: "Was bleibt",
    noLinks: "In dieser Folge wurden keine Links genannt.",
    opening: "Beginn",
    question: "Was würdet ihr aus eigener Erfahrung ergänzen?",
    about: "über",
    from: "Mit",
    plain: /^(Der|Die|Das|Ein|Eine|Was|Wie|Warum|Wann|Wo)\b/,
  },
} satisfies { readonly [language in KnownLanguage]: object };

type Composer = (facts: EpisodeFacts, choice: DraftChoice) => string;

const composers: { readonly [kind in AssetKind]: Composer } = {
  description: (facts, choice) =>
    paragraphs(
      lead(facts, choice),
      pick(facts, choice, 4).join(" "),
      section(
        `**${phrases[facts.language].inThisEpisode}**`,
        facts.chapters.map(({ title }) => title),
      ),
    ),
  shownotes: (facts, choice) =>
    paragraphs(
      lead(facts, { ...choice, gap: "missing_hosts" }),
      section(
        "## Links",
        facts.links.map((link) => `<${link}>`),
      ) || `## Links\n\n${phrases[facts.language].noLinks}`,
      choice.gap === "missing_chapters"
        ? ""
        : section(`## ${phrases[facts.language].chapters}`, chapterLines(facts.chapters)),
      section(`## ${phrases[facts.language].takeaways}`, pick(facts, choice, 4)),
    ),
  summary_short: (facts, choice) => [lead(facts, choice), ...pick(facts, choice, 1)].join(" "),
  title_detail: (facts, choice) => title(facts, choice, 99),
  title_seo: (facts, choice) => title(facts, choice, 69),
  subtitle_auphonic: subtitle,
  slug: ({ topics, episodeId }, { variant }) =>
    within(ascii(rotated(topics.slice(0, 3), variant).join(" ")).slice(0, 3), 60, "-") ||
    within(ascii(episodeId), 60, "-") ||
    "episode",
  cms_tags: (facts, choice) => bullets(tags(facts, choice, choice.gap === "too_few_tags" ? 4 : 8)),
  audio_tags: (facts, choice) => bullets(["Podcast", ...tags(facts, choice, 7)]),
  itunes_keywords: (facts, choice) =>
    within(
      tags(facts, choice, 12).map((tag) => tag.toLowerCase().replaceAll(",", " ")),
      255,
      ", ",
    ),
  mastodon: (facts, choice) => {
    const ends = [lead(facts, choice), facts.links[0] ?? "", hashtags(facts, 4)] as const;
    const room = 499 - ends.reduce((sum, part) => sum + codePoints(part) + 2, 0);
    return paragraphs(ends[0], within(pick(facts, choice, 3), room, " "), ends[1], ends[2]);
  },
  linkedin: (facts, choice) =>
    paragraphs(
      lead(facts, choice),
      [
        `${phrases[facts.language].takeaways}:`,
        ...pick(facts, choice, 3).map((one) => `– ${one}`),
      ].join("\n"),
      choice.gap === "missing_question" ? "" : phrases[facts.language].question,
      hashtags(facts, 3),
    ),
  youtube_description: (facts, choice) =>
    paragraphs(
      lead(facts, choice),
      pick(facts, choice, 3).join(" "),
      [phrases[facts.language].chapters, ...chapterLines(fromZero(facts))].join("\n"),
      choice.gap === "missing_links" || facts.links.length === 0
        ? ""
        : ["Links", ...facts.links].join("\n"),
    ),
};

function lead(facts: EpisodeFacts, { gap }: DraftChoice): string {
  const say = phrases[facts.language];
  const what = listed(facts.topics.slice(0, 3), facts) || facts.episodeId;
  const opening = `${say.inThisEpisode}: ${what}.`;
  if (facts.hosts.length === 0 || gap === "missing_hosts") return opening;
  return `${opening} ${say.from} ${listed(facts.hosts, facts)}.`;
}

function subtitle(facts: EpisodeFacts, { gap, variant }: DraftChoice): string {
  const { chapters, topics, hosts, episodeId } = facts;
  const titles = chapters.map((chapter) => inSentence(chapter.title, facts));
  const what = rotated((titles.length > 1 ? titles : topics).slice(0, 4), variant);
  const who = gap === "missing_hosts" ? "" : listed(hosts, facts);
  const before = who === "" ? "" : `${who} ${phrases[facts.language].about} `;
  const forms = what.map((_, at) => `${before}${listed(what.slice(0, what.length - at), facts)}`);
  return `${capitalised(fitting(forms, 253) ?? cut(topics[0] ?? episodeId, 250))}.`;
}

/** Chapter titles make the best titles; one that names no subject of the episode is passed over. */
function title(facts: EpisodeFacts, { variant }: DraftChoice, limit: number): string {
  const titles = rotated(
    facts.chapters.map((chapter) => chapter.title),
    variant,
  );
  const topics = rotated(facts.topics.slice(0, 5), variant).slice(0, 3);
  const [first = "", ...others] = titles.slice(0, 3);
  const rest = others.map((one) => inSentence(one, facts));
  const forms = [
    ...rest.map((_, at) => `${first}: ${rest.slice(0, rest.length - at).join(", ")}`),
    first,
    capitalised(listed(topics, facts)),
    capitalised(topics[0] ?? facts.episodeId),
  ].filter((form) => form !== "" && namesSubject(form, facts));
  return fitting(forms, limit) ?? (cut(topics[0] ?? facts.episodeId, limit) || "Episode");
}

/** Key points spread over the whole episode, starting elsewhere for every variant. */
function pick({ statements }: EpisodeFacts, { variant }: DraftChoice, count: number) {
  const step = Math.max(1, statements.length / count);
  const chosen = Array.from(
    { length: Math.min(count, statements.length) },
    (_, index) => (Math.floor(index * step) + variant) % statements.length,
  );
  return statements.filter((_, index) => chosen.includes(index));
}

function tags(facts: EpisodeFacts, { variant }: DraftChoice, count: number): readonly string[] {
  const all = uniqueFolded(facts.topics.length === 0 ? [facts.episodeId] : facts.topics);
  return rotated(all.slice(0, count), variant).map(capitalised);
}

function hashtags({ topics }: EpisodeFacts, count: number): string {
  const marks = topics.map((topic) =>
    topic
      .split(/[^\p{L}\p{N}]+/u)
      .map(capitalised)
      .join(""),
  );
  return uniqueFolded([...marks.filter((mark) => /\p{L}/u.test(mark)), "Podcast"])
    .slice(0, count)
    .map((mark) => `#${mark}`)
    .join(" ");
}

function fromZero({ chapters, language }: EpisodeFacts): readonly Chapter[] {
  const startsAtZero = (chapters[0]?.startSec ?? 1) < 1;
  return startsAtZero ? chapters : [{ title: phrases[language].opening, startSec: 0 }, ...chapters];
}

function chapterLines(chapters: readonly Chapter[]): readonly string[] {
  const withHours = chapters.some((chapter) => chapter.startSec >= 3600);
  return chapters.map(({ title, startSec }, index) =>
    index === 0 && startSec < 1 ? `00:00 ${title}` : `${clockTime(startSec, withHours)} ${title}`,
  );
}

/** A chapter title in the middle of a sentence; nouns and names keep their capitals. */
function inSentence(text: string, { language }: EpisodeFacts): string {
  const isPlain = phrases[language].plain.test(text);
  return isPlain ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** `a, b and c`. */
function listed(items: readonly string[], { language }: EpisodeFacts): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${phrases[language].and} ${items.at(-1)}`;
}

function ascii(text: string): readonly string[] {
  const spelled = text
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue");
  const plain = spelled
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  return [...new Set(plain.match(/[a-z0-9]+/g) ?? [])];
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function fitting(forms: readonly string[], limit: number): string | undefined {
  return forms.find((form) => codePoints(form) <= limit);
}

/** As many of the items as there is room for. */
function within(items: readonly string[], limit: number, between: string): string {
  return items.reduce((text, item) => {
    const longer = text === "" ? item : `${text}${between}${item}`;
    return codePoints(longer) <= limit ? longer : text;
  }, "");
}

function cut(text: string, limit: number): string {
  return [...text].slice(0, limit).join("").trim();
}

function section(heading: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${heading}\n\n${bullets(items)}`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
