import { decodeEntities } from "../values/decode-entities.ts";
import { parseJson } from "../values/json.ts";
import { beginsWithTime, type Chapter, followEachOther, parseChapters } from "./chapter.ts";
import { InvalidEpisode } from "./invalid-episode.ts";
import { entityNames } from "./subtitles.ts";
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
  if (first.startsWith(";FFMETADATA")) return titledOnly("ffmetadata", readFfmetadata(text));
  if (first.startsWith("<")) return readPodlove(text);
  if (audacityLabel.test(first)) return titledOnly("audacity", readAudacity(text));
  return readLines(text);
}

type Found = Omit<Chapter, "title"> & { readonly title?: string };

/** Those without a title are left out. */
function titledOnly(format: ReadChapters["format"], found: readonly Found[]): ReadChapters {
  const titled = found.flatMap(({ title = "", ...rest }): readonly Chapter[] => {
    const plain = title.replace(/\s+/gu, " ").trim();
    return plain === "" ? [] : [{ title: plain, ...rest }];
  });
  return { format, chapters: followEachOther(titled), leftOut: found.length - titled.length };
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
  return titledOnly("json", found);
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

const podloveChapter = /<(?:psc:)?chapter\s((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>/gu;

/** `<psc:chapter start="00:00:00.000" title="…"/>`, which Auphonic and Podlove write. */
function readPodlove(text: string): ReadChapters {
  const found = [...text.matchAll(podloveChapter)].map(([, attributes = ""], at) => {
    const value = (name: string) => {
      const [, , plain = ""] =
        new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])(.*?)\\1`, "su").exec(attributes) ?? [];
      return decodeEntities(plain, entityNames);
    };
    const startSec = seconds(value("start"));
    if (startSec === undefined) {
      throw notChapters(`are Podlove Simple Chapters in which chapter ${at + 1} has no start`);
    }
    return { startSec, title: value("title") };
  });
  if (found.length === 0) throw notChapters("are XML without <psc:chapter> elements");
  return titledOnly("podlove", found);
}

/**
 * One `MM:SS Title` a line. Paragraphs in which no line begins with a time, such as the rest of a video's description,
 * are left out, and so is a heading above a list. Any other line without a time is a mistake, perhaps in the time.
 */
function readLines(text: string): ReadChapters {
  // Each paragraph begins with its empty line, and lines that are left out stay as empty ones: line numbers hold.
  const paragraphs = text.split(/^(?=[ \t]*$)/mu).map((one) => one.split("\n"));
  const isDescription = paragraphs.some((lines) => lines.some(beginsWithTime));
  const isOther = (lines: readonly string[], at: number): boolean => {
    const first = lines.findIndex(beginsWithTime);
    if (first < 0) return true;
    const isList = lines.filter(beginsWithTime).length > 1;
    return isList && at < first && !/\d/u.test(lines[at] ?? "");
  };
  const kept = paragraphs.map((lines) =>
    lines.map((line, at) => (isDescription && isOther(lines, at) ? "" : line)),
  );
  const written = (lists: readonly (readonly string[])[]) =>
    lists.flat().filter((line) => line.trim() !== "").length;
  return {
    format: "lines",
    chapters: parseChapters(kept.map((lines) => lines.join("\n")).join("")),
    leftOut: written(paragraphs) - written(kept),
  };
}

/** What to do about a file that is none of the formats. */
export const chaptersAdvice =
  'Give Podcasting 2.0 or Auphonic JSON, Podlove Simple Chapters, Audacity labels, FFmpeg metadata or lines of "MM:SS Title"';

function notChapters(what: string): InvalidEpisode {
  return new InvalidEpisode("chapters-format", `The chapters ${what}. ${chaptersAdvice}`);
}
