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

/**
 * Reads a chapter list as people write it: one `MM:SS Title` or `HH:MM:SS Title` a line, blank lines ignored.
 * A chapter ends where the next begins.
 */
export function parseChapters(text: string): readonly Chapter[] {
  const starts: Chapter[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/)
    .entries()) {
    const line = raw.trim();
    if (line !== "") starts.push(parseChapterLine(line, index + 1));
  }
  return checkChapters(
    starts.map((chapter, index) => {
      const next = starts[index + 1];
      return next === undefined || next.startSec <= chapter.startSec
        ? chapter
        : { ...chapter, endSec: next.startSec };
    }),
  );
}

/** The list as `transcript/chapters.txt` holds it: `MM:SS`, or `HH:MM:SS` throughout when one is past an hour. */
export function renderChapters(chapters: readonly Chapter[]): string {
  const withHours = chapters.some((chapter) => chapter.startSec >= 3600);
  return chapters
    .map((chapter) => `${clockTime(chapter.startSec, withHours)} ${chapter.title}\n`)
    .join("");
}

function parseChapterLine(line: string, number: number): Chapter {
  const parts = /^[[(]?(\S*?\d)[\])]?[\s–—-]+(\S.*)$/u.exec(line);
  const startSec = parts?.[1] === undefined ? undefined : parseClockTime(parts[1]);
  // Podlove's lines may end with a link.
  const title = parts?.[2]?.replace(/\s+<https?:[^\s<>]*>$/u, "");
  if (startSec === undefined || title === undefined) {
    throw new InvalidEpisode(
      "chapter-line",
      `line ${number} of the chapters, "${line.slice(0, 60)}", is not "MM:SS Title" or "HH:MM:SS Title"`,
      { line: number },
    );
  }
  return { title, startSec };
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
