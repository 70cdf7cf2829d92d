import { defined } from "../values/defined.ts";
import { clockTime, parseClockTime } from "./clock-time.ts";
import { type Cue, splitSpeaker } from "./cue.ts";
import { parseSubtitles } from "./subtitles.ts";

export type TranscriptFormat = "plain" | "timed" | "vtt" | "srt";

export interface Transcript {
  readonly format: TranscriptFormat;
  readonly cues: readonly Cue[];
}

/** Where in the text a time is written. */
export interface TimeMark {
  readonly offset: number;
  readonly startSec: number;
}

/** Reads plain text, `HH:MM:SS Speaker:` lines, WebVTT and SubRip; which one is seen from the text. */
export function parseTranscript(text: string): Transcript {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const format = detectTranscriptFormat(clean);
  if (format === "vtt" || format === "srt") return { format, cues: parseSubtitles(clean) };
  return { format, cues: parseSpeech(clean, format === "timed") };
}

export function detectTranscriptFormat(text: string): TranscriptFormat {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split("\n", 200)
    .map((line) => line.trim());
  const spoken = lines.filter((line) => line !== "");
  if (/^WEBVTT(\s|$)/.test(spoken[0] ?? "")) return "vtt";
  if (/^\d+$/.test(spoken[0] ?? "") && /^\S+\s+-->\s+\S+/.test(spoken[1] ?? "")) return "srt";
  const marked = spoken.filter((line) => markOf(line) !== undefined).length;
  return markOf(spoken[0] ?? "") !== undefined || marked > 1 ? "timed" : "plain";
}

/**
 * The text `transcript/transcript.txt` gets from subtitles: one paragraph per speaker's turn, cut about once a
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
