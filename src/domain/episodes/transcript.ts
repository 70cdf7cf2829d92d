import { defined } from "../values/defined.ts";
import { clockTime, parseClockTime } from "./clock-time.ts";
import { type Cue, splitSpeaker } from "./cue.ts";

/** Where in the text a time is written. */
export interface TimeMark {
  readonly offset: number;
  readonly startSec: number;
}

/** Cues of plain text and of `HH:MM:SS Speaker:` lines, the two forms that a workspace keeps. */
export function parseTranscript(text: string): readonly Cue[] {
  return parseSpeech(text, isTimed(text));
}

/** Lines begin with times: the first one does, or several do. */
export function isTimed(text: string): boolean {
  const lines = text.split("\n", 200).filter((line) => line.trim() !== "");
  const marked = lines.filter((line) => markOf(line) !== undefined).length;
  return marked > 1 || markOf(lines[0] ?? "") !== undefined;
}

/**
 * The text `transcript/transcript.txt` gets from other formats: one paragraph per speaker's turn, cut about once a
 * minute, each beginning with its time, so that marks stay useful and do not fill the chunks.
 */
export function renderTranscript(cues: readonly Cue[]): string {
  return joinCues(cues)
    .map(({ startSec, speaker, text }) => {
      const time = startSec === undefined ? "" : `${clockTime(startSec, true)} `;
      return `${time}${speaker === undefined ? "" : `${speaker}: `}${text}\n`;
    })
    .join("\n");
}

/** All times of a text that never go back; a mark earlier than its predecessor is a slip and is left out. */
export function timeMarks(text: string): readonly TimeMark[] {
  const marks: TimeMark[] = [];
  let last = -1;
  for (const line of text.matchAll(/[^\n]+/g)) {
    const mark = markOf(line[0]);
    if (mark === undefined || mark.startSec < last) continue;
    last = mark.startSec;
    marks.push({ offset: line.index, startSec: mark.startSec });
  }
  return marks;
}

const secondsPerParagraph = 60;

function joinCues(cues: readonly Cue[]): readonly Cue[] {
  const paragraphs: Cue[] = [];
  for (const cue of cues) {
    const open = paragraphs.at(-1);
    if (open !== undefined && belongsTo(open, cue)) {
      paragraphs[paragraphs.length - 1] = { ...open, text: `${open.text} ${cue.text}` };
    } else {
      paragraphs.push(cue);
    }
  }
  return paragraphs;
}

function belongsTo(open: Cue, cue: Cue): boolean {
  return (
    open.speaker === cue.speaker && (cue.startSec ?? 0) - (open.startSec ?? 0) < secondsPerParagraph
  );
}

function parseSpeech(text: string, timed: boolean): readonly Cue[] {
  const cues: { startSec?: number; speaker?: string; words: string[] }[] = [];
  let fresh = true;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "") {
      fresh = true;
      continue;
    }
    const mark = timed ? markOf(line) : undefined;
    const { speaker, text: words } = splitSpeaker(mark?.rest ?? line);
    if (fresh || mark !== undefined || speaker !== undefined) {
      cues.push({
        ...(mark === undefined ? {} : { startSec: mark.startSec }),
        ...defined({ speaker }),
        words: [],
      });
    }
    cues.at(-1)?.words.push(words);
    fresh = false;
  }
  return cues
    .map(({ words, ...cue }) => ({ ...cue, text: words.join(" ").trim() }))
    .filter((cue) => cue.text !== "");
}

function markOf(line: string): { readonly startSec: number; readonly rest: string } | undefined {
  const parts =
    /^\s*[[(]?(\d{1,3}:\d{1,2}(?::\d{2})?(?:[.,]\d{1,3})?)[\])]?(?:\s+[-–—]?\s*|$)/u.exec(line);
  const startSec = parts?.[1] === undefined ? undefined : parseClockTime(parts[1]);
  if (parts === null || startSec === undefined) return undefined;
  return { startSec, rest: line.slice(parts[0].length) };
}
