import type { AssetKind } from "../../../domain/episodes/asset-kind.ts";
import type { Chapter } from "../../../domain/episodes/chapter.ts";
import { clockTime } from "../../../domain/episodes/clock-time.ts";
import { uniqueFolded } from "../../../domain/episodes/tag-list.ts";
import type { EpisodeFacts } from "./episode-facts.ts";
import { listed, phrases } from "./episode-phrases.ts";
import { capitalised, codePoints, subjectsOf } from "./words.ts";

/** How one draft differs from another. */
export interface DraftChoice {
  /** Codes of faults that must not be in the text; a first draft leaves one thing out and is told so. */
  readonly answered: ReadonlySet<string>;
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

type Composer = (facts: EpisodeFacts, choice: DraftChoice) => string;

const composers: { readonly [kind in AssetKind]: Composer } = {
  description: (facts, choice) =>
    paragraphs(
      lead(facts, choice),
      pick(facts, choice, 4).join(" "),
      facts.chapters.length === 0
        ? ""
        : `**${phrases[facts.language].inThisEpisode}**\n\n${bullets(facts.chapters.map((chapter) => chapter.title))}`,
    ),
  shownotes: (facts, choice) =>
    paragraphs(
      lead(facts, { ...choice, answered: new Set() }),
      `## Links\n\n${facts.links.length === 0 ? phrases[facts.language].noLinks : bullets(facts.links.map((link) => `<${link}>`))}`,
      choice.answered.has("missing_chapters") && facts.chapters.length > 0
        ? `## ${phrases[facts.language].chapters}\n\n${bullets(chapterLines(facts.chapters))}`
        : "",
      `## ${phrases[facts.language].takeaways}\n\n${bullets(pick(facts, choice, 4))}`,
    ),
  summary_short: (facts, choice) =>
    [lead(facts, choice), ...pick(facts, choice, 2)].slice(0, 3).join(" "),
  title_detail: (facts, choice) => title(facts, choice, 99),
  title_seo: (facts, choice) => title(facts, choice, 69),
  subtitle_auphonic: subtitle,
  slug,
  cms_tags: (facts, choice) =>
    bullets(tags(facts, choice, choice.answered.has("too_few_tags") ? 8 : 4).map(capitalised)),
  audio_tags: (facts, choice) => bullets(["Podcast", ...tags(facts, choice, 7).map(capitalised)]),
  itunes_keywords: (facts, choice) =>
    within(
      tags(facts, choice, 12).map((tag) => tag.toLowerCase().replaceAll(",", " ")),
      255,
      ", ",
    ),
  mastodon,
  linkedin,
  youtube_description: (facts, choice) =>
    paragraphs(
      lead(facts, { ...choice, answered: new Set(["missing_hosts"]) }),
      pick(facts, choice, 3).join(" "),
      [phrases[facts.language].chapters, ...chapterLines(fromZero(facts))].join("\n"),
      choice.answered.has("missing_links") && facts.links.length > 0
        ? ["Links", ...facts.links].join("\n")
        : "",
    ),
};

function lead(facts: EpisodeFacts, { answered }: DraftChoice): string {
  const say = phrases[facts.language];
  const what = listed(subjects(facts), facts.language) || facts.episodeId;
  if (facts.hosts.length > 1 && answered.has("missing_hosts")) {
    return say.about(listed(facts.hosts, facts.language), what);
  }
  const opening = `${say.inThisEpisode}: ${what}.`;
  return facts.hosts.length > 0 && answered.has("missing_hosts")
    ? `${opening} ${say.withHosts(facts.hosts.join(""))}`
    : opening;
}

function subtitle(facts: EpisodeFacts, choice: DraftChoice): string {
  const say = phrases[facts.language];
  const chapters = facts.chapters.map((chapter) => inSentence(chapter.title, facts)).slice(0, 4);
  const what = chapters.length > 1 ? chapters : facts.topics.slice(0, 4);
  if (what.length === 0) return `${cut(facts.episodeId, 250) || "Episode"}.`;
  const who = choice.answered.has("missing_hosts") ? facts.hosts : [];
  for (let count = what.length; count > 0; count -= 1) {
    const subject = listed(rotated(what, choice.variant).slice(0, count), facts.language);
    const text = capitalised(
      who.length === 0 ? `${subject}.` : say.subtitle(listed(who, facts.language), subject),
    );
    if (codePoints(text) < 255) return text;
  }
  return `${cut(facts.topics[0] ?? facts.episodeId, 250)}.`;
}

/** Chapter titles make the best titles; one that names no subject of the episode is passed over. */
function title(facts: EpisodeFacts, { variant }: DraftChoice, limit: number): string {
  const [first = "", second = "", third = ""] = rotated(
    facts.chapters.map((chapter) => chapter.title),
    variant,
  );
  const topics = rotated(facts.topics.slice(0, 5), variant).slice(0, 3);
  const forms = [
    third === "" ? "" : `${first}: ${inSentence(second, facts)}, ${inSentence(third, facts)}`,
    second === "" ? "" : `${first}: ${inSentence(second, facts)}`,
    first,
    capitalised(listed(topics, facts.language)),
    capitalised(topics[0] ?? facts.episodeId),
  ];
  const fits = forms.find(
    (form) => form !== "" && codePoints(form) <= limit && namesSubject(form, facts),
  );
  return fits ?? (cut(topics[0] ?? facts.episodeId, limit) || "Episode");
}

function namesSubject(text: string, { topics, language }: EpisodeFacts): boolean {
  const words = new Set(subjectsOf(text, language));
  return (
    topics.length === 0 ||
    topics.slice(0, 6).some((topic) => subjectsOf(topic, language).some((one) => words.has(one)))
  );
}

/** What a sentence about the whole episode speaks of. */
function subjects(facts: EpisodeFacts): readonly string[] {
  const { chapters, topics } = facts;
  if (facts.language === "en" && chapters.length > 2) {
    const last = chapters.length - 1;
    return [0, Math.ceil(last / 3), Math.ceil((2 * last) / 3)].flatMap((index) =>
      inSentence(chapters[index]?.title ?? "", facts),
    );
  }
  return topics.slice(0, 3);
}

function slug(facts: EpisodeFacts, { variant }: DraftChoice): string {
  const words: string[] = [];
  for (const topic of rotated(facts.topics.slice(0, 3), variant)) {
    if (words.length < 3) words.push(...ascii(topic).split("-"));
  }
  const unique = [...new Set(words.filter((word) => word !== ""))];
  return (
    within(unique, 60, "-") || ascii(facts.episodeId).slice(0, 60).replace(/-+$/, "") || "episode"
  );
}

function mastodon(facts: EpisodeFacts, choice: DraftChoice): string {
  const say = phrases[facts.language];
  const end = hashtags(facts, 4);
  const opening = choice.answered.has("missing_hosts")
    ? lead(facts, choice)
    : say.newEpisode(listed(subjects(facts), facts.language) || facts.episodeId);
  const link = facts.links[0] ?? "";
  const room = 499 - [opening, link, end].reduce((sum, part) => sum + codePoints(part) + 2, 0);
  return paragraphs(opening, fitting(pick(facts, choice, 3), room), link, end);
}

function linkedin(facts: EpisodeFacts, choice: DraftChoice): string {
  const say = phrases[facts.language];
  return paragraphs(
    lead(facts, { ...choice, answered: new Set(["missing_hosts"]) }),
    `${say.takeaways}:\n${pick(facts, choice, 3)
      .map((point) => `– ${point}`)
      .join("\n")}`,
    choice.answered.has("missing_question") ? say.question : "",
    hashtags(facts, 3),
  );
}

/** Key points spread over the whole episode, starting elsewhere for every variant. */
function pick(
  { statements }: EpisodeFacts,
  { variant }: DraftChoice,
  count: number,
): readonly string[] {
  if (statements.length <= count) return statements;
  const step = statements.length / count;
  const chosen = Array.from(
    { length: count },
    (_, index) => (Math.floor(index * step) + variant) % statements.length,
  );
  return [...new Set(chosen)]
    .sort((left, right) => left - right)
    .flatMap((index) => statements[index] ?? []);
}

function tags(
  { topics, episodeId }: EpisodeFacts,
  { variant }: DraftChoice,
  count: number,
): readonly string[] {
  const all = uniqueFolded(topics);
  return all.length === 0 ? [episodeId] : rotated(all.slice(0, count), variant);
}

function hashtags({ topics }: EpisodeFacts, count: number): string {
  const marks = topics
    .map((topic) =>
      topic
        .split(/[^\p{L}\p{N}]+/u)
        .map(capitalised)
        .join(""),
    )
    .filter((mark) => /\p{L}/u.test(mark));
  return uniqueFolded([...marks, "Podcast"])
    .slice(0, count)
    .map((mark) => `#${mark}`)
    .join(" ");
}

function fromZero(facts: EpisodeFacts): readonly Chapter[] {
  const first = facts.chapters[0];
  if (first !== undefined && first.startSec < 1) return facts.chapters;
  return [{ title: phrases[facts.language].opening, startSec: 0 }, ...facts.chapters];
}

function chapterLines(chapters: readonly Chapter[]): readonly string[] {
  const withHours = chapters.some((chapter) => chapter.startSec >= 3600);
  return chapters.map((chapter, index) =>
    index === 0 && chapter.startSec < 1
      ? `00:00 ${chapter.title}`
      : `${clockTime(chapter.startSec, withHours)} ${chapter.title}`,
  );
}

/** A chapter title in the middle of a sentence; nouns and names keep their capitals. */
function inSentence(text: string, { language }: EpisodeFacts): string {
  const opensPlainly = {
    en: /^(The|A|An|What|How|Why|When|Where|Our|Open|One|Two|Three|Four|Five)\b/,
    de: /^(Der|Die|Das|Ein|Eine|Was|Wie|Warum|Wann|Wo)\b/,
  }[language];
  return opensPlainly.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function ascii(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function within(items: readonly string[], limit: number, between: string): string {
  let text = "";
  for (const item of items) {
    const longer = text === "" ? item : `${text}${between}${item}`;
    if (codePoints(longer) <= limit) text = longer;
  }
  return text;
}

function fitting(sentences: readonly string[], limit: number): string {
  return within(sentences, limit, " ");
}

function cut(text: string, limit: number): string {
  return [...text].slice(0, limit).join("").trim();
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
