import { defined } from "../values/defined.ts";
import { clockTime, parseClockTime } from "./clock-time.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

export interface Chapter {
  readonly title: string;
  readonly startSec: number;
  readonly endSec?: number;
  readonly summary?: string;
}

/** Checks each chapter and that they follow each other in time. */
export function checkChapters(chapters: readonly Chapter[]): readonly Chapter[] {
  let previous: Chapter | undefined;
  for (const chapter of chapters) {
    checkChapter(chapter);
    if (previous !== undefined && chapter.startSec <= previous.startSec) {
      throw new InvalidEpisode(
        "chapters-increase",
        `chapter "${chapter.title}" starts at ${clockTime(chapter.startSec)}, not after "${previous.title}" at ${clockTime(previous.startSec)}`,
      );
    }
    previous = chapter;
  }
  return chapters;
}

/** A chapter ends where its source says, else where the next one begins. */
export function followEachOther(chapters: readonly Chapter[]): readonly Chapter[] {
  return checkChapters(
    chapters.map(({ endSec, ...chapter }, at) => {
      const ends = [endSec, chapters[at + 1]?.startSec];
      return { ...chapter, ...defined({ endSec: ends.find((end = 0) => end > chapter.startSec) }) };
    }),
  );
}

/** Reads a chapter list as people write it: one `MM:SS Title` or `HH:MM:SS Title` a line, blank lines ignored. */
export function parseChapters(text: string): readonly Chapter[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  return followEachOther(
    lines.flatMap((line, at) => (line.trim() === "" ? [] : parseChapterLine(line.trim(), at + 1))),
  );
}

/**
 * The list as `transcript/chapters.txt` holds it: `MM:SS`, or `HH:MM:SS` throughout when one is past an hour. The second
 * chapter that begins in one second keeps its fraction, so that the list can be read again.
 */
export function renderChapters(chapters: readonly Chapter[]): string {
  const withHours = chapters.some((chapter) => chapter.startSec >= 3600);
  const secondOf = (at: number) => Math.floor(chapters[at]?.startSec ?? -1);
  return chapters
    .map(({ startSec, title }, at) => {
      const millis = Math.min(999, Math.round((startSec % 1) * 1000));
      const isSecond = secondOf(at) === secondOf(at - 1);
      const fraction = isSecond ? `.${String(millis).padStart(3, "0")}` : "";
      return `${clockTime(startSec, withHours)}${fraction} ${title}\n`;
    })
    .join("");
}

const time = String.raw`(\d[\d:]*:\d{2}(?:[.,]\d+)?)`;
/** A bullet or a number may come before the time, and brackets around it. */
const start = String.raw`^\s*(?:[^\p{L}\p{N}\s]+\s+|\d+[.)]\s+)?[[(]?${time}[\])]?`;
const timeAtStart = new RegExp(start, "u");
const chapterLine = new RegExp(
  String.raw`${start}(?:\s*[-–—]\s*${time})?[:.]?[\s–—|-]+(\S.*)$`,
  "u",
);

export function beginsWithTime(line: string): boolean {
  return parseClockTime(timeAtStart.exec(line)?.[1] ?? "") !== undefined;
}

function parseChapterLine(line: string, number: number): Chapter {
  const [, from = "", until = "", words = ""] = chapterLine.exec(line) ?? [];
  const startSec = parseClockTime(from);
  // Podlove's lines may end with a link.
  const title = words.replace(/\s+<https?:[^\s<>]*>$/u, "");
  if (startSec === undefined || title === "") {
    throw new InvalidEpisode(
      "chapter-line",
      `line ${number} of the chapters, "${line.slice(0, 60)}", is not "MM:SS Title" or "HH:MM:SS Title"`,
      { line: number },
    );
  }
  return { title, startSec, ...defined({ endSec: parseClockTime(until) }) };
}

function checkChapter({ title, startSec, endSec }: Chapter): void {
  if (!Number.isFinite(startSec) || startSec < 0) {
    throw new InvalidEpisode("chapter-start", `chapter "${title}" starts at ${startSec}`);
  }
  if (endSec !== undefined && !(Number.isFinite(endSec) && endSec > startSec)) {
    throw new InvalidEpisode(
      "chapter-end-after-start",
      `chapter "${title}" ends at ${endSec}, not after its start at ${startSec}`,
    );
  }
}
