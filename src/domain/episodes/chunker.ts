import { withFinalNewline } from "../values/final-newline.ts";
import { endsSentence } from "./ends-sentence.ts";
import { InvalidEpisode } from "./invalid-episode.ts";
import { type TimeMark, timeMarks } from "./transcript.ts";

export interface ChunkLimits {
  readonly maxTokens: number;
  readonly overlapTokens: number;
  /** How far back from the limit a better place to cut is looked for. */
  readonly lookbackTokens: number;
  readonly minTokens: number;
}

export interface Chunk {
  readonly chunkId: number;
  readonly text: string;
  /** First token and the one after the last, counted over the whole transcript. */
  readonly startToken: number;
  readonly endToken: number;
  readonly startSec?: number;
  readonly endSec?: number;
}

/** 1200 tokens, 200 shared with the next chunk, cut at most 200 early and never below 60 %. */
export function chunkLimits(limits: Partial<ChunkLimits> = {}): ChunkLimits {
  const maxTokens = limits.maxTokens ?? 1200;
  const checked = {
    maxTokens,
    overlapTokens: limits.overlapTokens ?? 200,
    lookbackTokens: limits.lookbackTokens ?? 200,
    minTokens: limits.minTokens ?? Math.max(1, Math.floor(0.6 * maxTokens)),
  };
  const { overlapTokens, lookbackTokens, minTokens } = checked;
  const broken =
    (!Object.values(checked).every(Number.isInteger) && "all limits must be whole numbers") ||
    (maxTokens < 1 && "the maximum must be 1 or more") ||
    ((overlapTokens < 0 || overlapTokens >= maxTokens) &&
      "the overlap must be 0 or more and below the maximum") ||
    (lookbackTokens < 0 && "the look-back must be 0 or more") ||
    ((minTokens < 1 || minTokens > maxTokens) && "the minimum must be between 1 and the maximum");
  if (broken) throw new InvalidEpisode("chunk-limits", `chunk limits: ${broken}`, { ...checked });
  return checked;
}

/**
 * Cuts a transcript into overlapping chunks. A token is a run of non-white characters. The last paragraph end
 * inside the look-back window wins, else the last sentence end, else the last line end, else the limit itself.
 * One pass: the time grows with the text and nothing else.
 */
export function chunkTranscript(
  text: string,
  about: { readonly limits?: ChunkLimits; readonly endSec?: number } = {},
): readonly Chunk[] {
  const { limits = chunkLimits(), endSec } = about;
  const tokens = tokensOf(text);
  const total = tokens.length;
  const marks = endingAt(timeMarks(text), text.length, endSec);
  const chunks: Chunk[] = [];
  let start = 0;
  while (start < total) {
    const end = cutAfter(tokens, start, limits);
    const from = tokens[start]?.start ?? 0;
    const until = tokens[end]?.start ?? text.length;
    const body = text.slice(from, until);
    chunks.push({
      chunkId: chunks.length + 1,
      text: withFinalNewline(body),
      startToken: start,
      endToken: end,
      ...timesBetween(marks, from, until),
    });
    if (end === total) break;
    start = Math.max(end - limits.overlapTokens, start + 1);
  }
  return chunks;
}

interface Token {
  readonly start: number;
  readonly word: string;
  /** Line breaks between this token and the one before. */
  readonly breaksBefore: number;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(/\S+/g)) {
    tokens.push({
      start: match.index,
      word: match[0],
      breaksBefore: lineBreaks(text.slice(end, match.index)),
    });
    end = match.index + match[0].length;
  }
  return tokens;
}

function lineBreaks(white: string): number {
  let count = 0;
  for (const sign of white) if (sign === "\n") count += 1;
  return count;
}

function cutAfter(tokens: readonly Token[], start: number, limits: ChunkLimits): number {
  const limit = Math.min(start + limits.maxTokens, tokens.length);
  if (limit === tokens.length) return limit;
  const earliest = Math.max(
    start + Math.max(limits.minTokens, limits.overlapTokens + 1),
    limit - limits.lookbackTokens,
  );
  let sentence: number | undefined;
  let line: number | undefined;
  for (let at = limit; at >= earliest; at -= 1) {
    const breaks = tokens[at]?.breaksBefore ?? 0;
    if (breaks > 1) return at;
    if (sentence === undefined && endsSentence(tokens[at - 1]?.word ?? "")) sentence = at;
    if (line === undefined && breaks === 1) line = at;
  }
  return sentence ?? line ?? limit;
}

/** The end counts as a last mark behind the text; where no source names it, it is not before the last mark. */
function endingAt(
  marks: readonly TimeMark[],
  offset: number,
  endSec: number | undefined,
): readonly TimeMark[] {
  const startSec = endSec ?? marks.at(-1)?.startSec;
  return startSec === undefined ? marks : [...marks, { offset, startSec }];
}

/** From the mark at or before the first token to the first later mark at or after the end. */
function timesBetween(
  marks: readonly TimeMark[],
  from: number,
  until: number,
): Pick<Chunk, "startSec" | "endSec"> {
  const startSec = marks[firstAfter(marks, from) - 1]?.startSec;
  if (startSec === undefined) return {};
  const endSec = marks[firstAfter(marks, until - 1)]?.startSec;
  return endSec === undefined || endSec <= startSec ? { startSec } : { startSec, endSec };
}

/** Index of the first mark behind an offset. */
function firstAfter(marks: readonly TimeMark[], offset: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
