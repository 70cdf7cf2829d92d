import { parseJson } from "../values/json.ts";
import { type Chapter, checkChapters, parseChapters } from "./chapter.ts";
import { parseClockTime } from "./clock-time.ts";
import { InvalidEpisode } from "./invalid-episode.ts";
import { decodeEntities } from "./subtitles.ts";
import { fieldsOf, seconds } from "./transcript-json.ts";

export interface ReadChapters {
  readonly format: "lines" | "json" | "audacity" | "ffmetadata" | "podlove";
  readonly chapters: readonly Chapter[];
  /** Lines or entries that are no chapters, such as the rest of a video's description. */
  readonly leftOut: number;
}

export const chapterFormatNames: { readonly [format in ReadChapters["format"]]: string } = {
  lines: "lines with times",
  json: "JSON",
  audacity: "Audacity labels",
  ffmetadata: "FFmpeg metadata",
  podlove: "Podlove Simple Chapters",
};

/**
 * Reads chapters as podcast tools write them: Podcasting 2.0 and Auphonic JSON, Podlove Simple Chapters, Audacity labels,
 * FFmpeg metadata, and lines with a time and a title as in a YouTube description. Which one is seen from the text.
 */
export function readChapters(given: string): ReadChapters {
  const text = given.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const first = /^\s*(.*)/u.exec(text)?.[1] ?? "";
  if (/^(?:\{\s*["}]|\{$|\[\s*[{[\]"]|\[$)/u.test(first)) return readJson(text);
  if (first.startsWith(";FFMETADATA")) return withEnds("ffmetadata", readFfmetadata(text));
  if (first.startsWith("<")) return readPodlove(text);
  if (audacityLabel.test(first)) return withEnds("audacity", readAudacity(text));
  return readLines(text);
}

type Found = Omit<Chapter, "title"> & { readonly title?: string };

/** A chapter ends where its source says, else where the next one begins. Those without a title are left out. */
function withEnds(format: ReadChapters["format"], found: readonly Found[]): ReadChapters {
  const titled = found.flatMap(({ title = "", ...rest }): readonly Chapter[] => {
    const plain = title.replace(/\s+/gu, " ").trim();
    return plain === "" ? [] : [{ title: plain, ...rest }];
  });
  const chapters = titled.map(({ endSec, ...chapter }, at) => {
    const end = [endSec, titled[at + 1]?.startSec].find((one) => (one ?? 0) > chapter.startSec);
    return end === undefined ? chapter : { ...chapter, endSec: end };
  });
  return { format, chapters: checkChapters(chapters), leftOut: found.length - titled.length };
}

/** Podcasting 2.0 has `startTime` in seconds; Auphonic has `start` as a clock time, alone or inside a production. */
function readJson(text: string): ReadChapters {
  const json = parseJson(text);
  if (json === undefined) throw notChapters("look like JSON but are not valid JSON");
  const { chapters = fieldsOf(fieldsOf(json).data).chapters } = fieldsOf(json);
  const list: unknown = Array.isArray(json) ? json : chapters;
  if (!Array.isArray(list)) throw notChapters("are JSON without a list of chapters");
  const found = list.map(fieldsOf).map((entry, at): Found => {
    const { title, toc } = entry;
    const startSec = seconds(entry.startTime ?? entry.start ?? entry.start_sec);
    if (startSec === undefined) {
      throw notChapters(`are JSON in which chapter ${at + 1} has no start (startTime or start)`);
    }
    const endSec = seconds(entry.endTime ?? entry.end ?? entry.end_sec);
    const isShown = typeof title === "string" && toc !== false;
    return { startSec, ...(isShown ? { title } : {}), ...(endSec === undefined ? {} : { endSec }) };
  });
  return withEnds("json", found);
}

const audacityLabel = /^(\d+[.,]\d+)\t(\d+[.,]\d+)(?:\t(.*))?$/u;

/** `start<tab>end<tab>label`; a line that begins with a backslash gives frequencies. */
function readAudacity(text: string): readonly Found[] {
  const lines = text.split("\n").map((line, at) => ({ line: line.trimEnd(), number: at + 1 }));
  return lines.flatMap(({ line, number }) => {
    if (line === "" || line.startsWith("\\")) return [];
    const [, from, until, title = ""] = audacityLabel.exec(line) ?? [];
    if (from === undefined) {
      throw notChapters(`are Audacity labels, but line ${number} is not "start, end, label"`);
    }
    const [startSec = 0, endSec = 0] = [from, until].map((one) => Number(one?.replace(",", ".")));
    return [{ startSec, endSec, title }];
  });
}

/** The `[CHAPTER]` sections; times count in `TIMEBASE`, which is nanoseconds where it is not given. */
function readFfmetadata(text: string): readonly Found[] {
  const logical = text.replace(/\\\n/gu, " ");
  const sections = logical.split(/^\[CHAPTER\][^\n]*$/mu).slice(1);
  return sections.map((section, at) => {
    const own = section.split(/^\[[A-Z]+\]/mu)[0] ?? "";
    const value = (key: string) =>
      new RegExp(`^${key}=(.*)$`, "imu").exec(own)?.[1]?.replace(/\\([=;#\\])/gu, "$1");
    const base = value("TIMEBASE")?.trim() ?? "1/1000000000";
    const [, over, under] = /^(\d+)\/([1-9]\d*)$/u.exec(base) ?? [];
    if (under === undefined) {
      const what = `chapter ${at + 1} has the TIMEBASE "${base.slice(0, 20)}", not one such as 1/1000`;
      throw notChapters(`are FFmpeg metadata in which ${what}`);
    }
    const timeOf = (key: string) =>
      (Number(value(key) ?? Number.NaN) * Number(over)) / Number(under);
    const startSec = timeOf("START");
    if (!Number.isFinite(startSec)) {
      throw notChapters(`are FFmpeg metadata in which chapter ${at + 1} has no START`);
    }
    const title = value("title") ?? "";
    return { startSec, endSec: timeOf("END"), title };
  });
}

/** `<psc:chapter start="00:00:00.000" title="…"/>`, which Auphonic and Podlove write. */
function readPodlove(text: string): ReadChapters {
  const elements = text.match(/<(?:psc:)?chapter\s[^>]*>/gu) ?? [];
  if (elements.length === 0) throw notChapters("are XML without <psc:chapter> elements");
  const found = elements.map((element, at) => {
    const value = (name: string) =>
      decodeEntities(
        new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, "u").exec(element)?.[1] ?? "",
      );
    const startSec = seconds(value("start"));
    if (startSec === undefined) {
      throw notChapters(`are Podlove Simple Chapters in which chapter ${at + 1} has no start`);
    }
    return { startSec, title: value("title") };
  });
  return withEnds("podlove", found);
}

/**
 * One `MM:SS Title` a line. Paragraphs in which no line begins with a time, such as the rest of a video's description,
 * are left out; a line without a time between chapters is a mistake.
 */
function readLines(text: string): ReadChapters {
  const startsWithTime = (line: string): boolean =>
    parseClockTime(/^[\s[(]*([\d:.,]+\d)/u.exec(line)?.[1] ?? "") !== undefined;
  const paragraphs = text.split(/\n[ \t]*\n/u);
  const isList = (one: string): boolean => one.split("\n").some(startsWithTime);
  const isDescription = paragraphs.some(isList);
  const lists = paragraphs.map((one) => (isDescription && !isList(one) ? "" : one));
  const others = isDescription ? paragraphs.filter((one) => !isList(one)) : [];
  // Empty lines keep the numbers of the lines that follow.
  const kept = lists.map(
    (one, at) => one || "\n".repeat((paragraphs[at] ?? "").split("\n").length - 1),
  );
  const chapters = parseChapters(kept.join("\n\n"));
  const leftOut = others.flatMap((one) => one.split("\n")).filter((line) => line.trim() !== "");
  return { format: "lines", chapters, leftOut: leftOut.length };
}

/** What to do about a file that is none of the formats. */
export const chaptersAdvice =
  'Give Podcasting 2.0 or Auphonic JSON, Podlove Simple Chapters, Audacity labels, FFmpeg metadata or lines of "MM:SS Title"';

function notChapters(what: string): InvalidEpisode {
  return new InvalidEpisode("chapters-format", `The chapters ${what}. ${chaptersAdvice}`);
}
