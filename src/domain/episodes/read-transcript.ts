import { withFinalNewline } from "../values/final-newline.ts";
import { parseJson } from "../values/json.ts";
import { type Cue, speakersOf } from "./cue.ts";
import { InvalidEpisode } from "./invalid-episode.ts";
import { bracketedCue, parseBracketedCues, parseSubtitles } from "./subtitles.ts";
import { isTimed, parseTranscript, renderTranscript } from "./transcript.ts";
import { readTranscriptJson } from "./transcript-json.ts";
import {
  descriptTurn,
  otterTurn,
  parseDescript,
  parseOtter,
  parseRiverside,
  riversideTurn,
} from "./turn-lines.ts";

export type TranscriptFormat =
  | "plain"
  | "timed"
  | "vtt"
  | "srt"
  | "whisper-text"
  | "whisper-json"
  | "podcast-json"
  | "otter"
  | "riverside"
  | "descript";

export const transcriptFormatNames: { readonly [format in TranscriptFormat]: string } = {
  plain: "plain text",
  timed: "text with times",
  vtt: "WebVTT",
  srt: "SubRip",
  "whisper-text": "Whisper text",
  "whisper-json": "Whisper JSON",
  "podcast-json": "Podcasting 2.0 JSON",
  otter: "Otter text",
  riverside: "Riverside or Rev text",
  descript: "Descript text",
};

/** A transcript as `transcript/transcript.txt` holds it. */
export interface ReadTranscript {
  readonly format: TranscriptFormat;
  readonly text: string;
  readonly words: number;
  readonly speakers: readonly string[];
  /** When the last words end, where the source says so. */
  readonly endSec?: number;
}

/**
 * Reads what transcription programs write; which one is seen from the text. Plain text and `HH:MM:SS Speaker:` lines stay
 * as they are, every other format becomes such lines. What looks structured and is none of these is refused: read as
 * prose, its keys and numbers would end up in the texts.
 */
export function readTranscript(given: string): ReadTranscript {
  const clean = given.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const { format, cues } = parseSource(clean);
  const isOurs = format === "plain" || format === "timed";
  const body = isOurs ? clean : renderTranscript(cues);
  const text = withFinalNewline(body);
  const endSec = cues.reduce((last, cue) => Math.max(last, cue.endSec ?? 0), 0);
  return {
    format,
    text,
    words: cues.length === 0 ? 0 : (text.match(/\S+/g)?.length ?? 0),
    speakers: speakersOf(cues),
    ...(endSec > 0 ? { endSec } : {}),
  };
}

/** Lines of title, date and keywords that an export may begin with. */
const longestHead = 12;

function parseSource(text: string): {
  readonly format: TranscriptFormat;
  readonly cues: readonly Cue[];
} {
  if (text.includes("\0")) throw unknownFormat("is not a text");
  // A list of words in brackets, such as "[Music]", is no JSON.
  const isJson = /^\s*(?:\{\s*["}]|\[\s*(?:[{[\]"]|-?\d+\s*[,\]]))/u.test(text);
  if (isJson) return readJsonTranscript(text);
  const lines = text.split("\n", 400).map((line) => line.trim());
  const spoken = lines.filter((line) => line !== "");
  const [first = "", second = ""] = spoken;
  const isMadeOf = (turn: RegExp, fewest = 1): boolean => {
    const at = spoken.findIndex((line) => turn.test(line));
    const turns = spoken.filter((line) => turn.test(line)).length;
    return at === 0 ? turns >= fewest : at > 0 && at < longestHead && turns > 1;
  };
  if (/^WEBVTT(\s|$)/.test(first)) return { format: "vtt", cues: parseSubtitles(text) };
  if (isArrow(first) || (/^\d+$/.test(first) && isArrow(second))) {
    return { format: "srt", cues: parseSubtitles(text) };
  }
  if (isMadeOf(bracketedCue)) return { format: "whisper-text", cues: parseBracketedCues(text) };
  if (isMadeOf(descriptTurn)) return { format: "descript", cues: parseDescript(text) };
  if (isMadeOf(otterTurn)) return { format: "otter", cues: parseOtter(text) };
  // A title may end with the length of the talk.
  if (isMadeOf(riversideTurn, 2)) return { format: "riverside", cues: parseRiverside(text) };
  if (isTimed(text)) return { format: "timed", cues: parseTranscript(text) };
  refuseStructure(spoken);
  return { format: "plain", cues: parseTranscript(text) };
}

function readJsonTranscript(text: string) {
  // Whisper writes NaN for a likelihood that it could not compute.
  const json = parseJson(text.replace(/("\s*:\s*)NaN(?=\s*[,}])/gu, "$1null"));
  if (json === undefined) {
    throw unknownFormat("looks like JSON but is not valid JSON; it may be cut off");
  }
  const read = readTranscriptJson(json);
  if (read === undefined) {
    throw unknownFormat("is JSON, but not a transcript of Whisper or Podcasting 2.0");
  }
  return read;
}

function isArrow(line: string): boolean {
  return /^[\d:.,]+\s+-->\s+[\d:.,]+/u.test(line);
}

/** Signs of a file that is not prose, each with the words for it. */
function refuseStructure(lines: readonly string[]): void {
  const [first = ""] = lines;
  if (/^<(?:[?!]|[a-z][\w:-]*[\s>/])/iu.test(first)) throw unknownFormat("is XML or HTML");
  if (first.startsWith("{\\rtf")) throw unknownFormat("is a rich-text (RTF) document");
  if (first.startsWith("%PDF-")) throw unknownFormat("is a PDF");
  if (/^\[Script Info\]/iu.test(first)) throw unknownFormat("is an SSA/ASS subtitle file");
  if (lines.some((line) => line.includes("-->"))) {
    throw unknownFormat("has cue times (-->), but is neither WebVTT, SubRip nor Whisper text");
  }
  if (/^[\d:]+\.\d+,[\d:]+\.\d+$/u.test(first)) throw unknownFormat("is an SBV subtitle file");
  if (isTable(lines)) throw unknownFormat("is a table of columns (CSV or TSV)");
}

/** Every line has the same number of columns, and the first names them. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  return ["\t", ",", ";"].some((separator) => {
    const columns = lines.slice(0, 50).map((line) => line.split(separator).length);
    const heads = (lines[0] ?? "").split(separator);
    const isHead = heads.every((head) => /^"?\p{L}[\p{L}\p{N}_-]{0,30}"?$/u.test(head));
    if (heads.length < 2 || !isHead) return false;
    return columns.every((one) =>
      separator === "\t" ? one === heads.length : one >= heads.length,
    );
  });
}

/** What to do about a file that is none of the formats. */
export const transcriptAdvice =
  "Export it as plain text, WebVTT, SubRip, Whisper JSON or text, Podcasting 2.0 JSON, or text of Otter, Descript, Riverside or Rev";

function unknownFormat(what: string): InvalidEpisode {
  return new InvalidEpisode("transcript-format", `The transcript ${what}. ${transcriptAdvice}`);
}
