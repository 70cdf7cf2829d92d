import { decodeEntities } from "../values/decode-entities.ts";
import { parseClockTime } from "./clock-time.ts";
import { type Cue, cueTimes, splitSpeaker } from "./cue.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

/**
 * Cues of WebVTT and SubRip. Styling, notes and numbers are dropped; `<v Name>` is the speaker. An empty line ends a
 * WebVTT cue; in SubRip, where programs also put them inside a cue or between none, the next times do.
 */
export function parseSubtitles(text: string): readonly Cue[] {
  const isVtt = text.startsWith("WEBVTT");
  const found: { times: Pick<Cue, "startSec" | "endSec">; lines: string[] }[] = [];
  let open: string[] | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const times = parseTimes(line, at + 1);
    if (times !== undefined) {
      if (/^\s*\d+\s*$/u.test(open?.at(-1) ?? "")) open?.pop();
      open = [];
      found.push({ times, lines: open });
    } else if (isVtt && line === "") open = undefined;
    else open?.push(line);
  }
  const cues = found.map(({ times, lines }) => ({
    times,
    lines: lines.filter((line) => line.trim() !== ""),
  }));
  const spoken = /<\d{2}:\d{2}[:.\d]*>/u.test(text) ? withoutRepeats(cues) : cues;
  return spoken.flatMap(({ times, lines }) =>
    splitVoices(lines).flatMap((words) => {
      const cue = { ...times, ...readWords(words) };
      return cue.text === "" ? [] : [cue];
    }),
  );
}

/** Captions with a time for each word, as YouTube writes them, show each line again above the next one. */
function withoutRepeats<Cues extends { readonly lines: readonly string[] }>(
  cues: readonly Cues[],
): readonly Cues[] {
  let shown = "";
  return cues.map((cue) => {
    const isAgain = readWords(cue.lines[0] ?? "").text === shown;
    const lines = isAgain ? cue.lines.slice(1) : cue.lines;
    shown = readWords(lines.at(-1) ?? "").text || shown;
    return { ...cue, lines };
  });
}

/** The parts of a cue in which two people speak: each begins with a voice tag, or each line with a name. */
function splitVoices(lines: readonly string[]): readonly string[] {
  const hasName = (words: string) => splitSpeaker(words.trim()).speaker !== undefined;
  const isNamed = hasName(lines[0] ?? "");
  const parts: string[] = [];
  for (const words of lines.flatMap((line) => line.split(/(?=<v[.\s])/u))) {
    const begins = /^<v[.\s]/u.test(words) || (isNamed && hasName(words));
    if (begins || parts.length === 0) parts.push(words);
    else parts[parts.length - 1] += ` ${words}`;
  }
  return parts;
}

export const bracketedCue = /^\[([\d:.,]+)\s+-->\s+([\d:.,]+)\]\s*(.*)$/u;

/** The lines `[00:00.000 --> 00:04.000]  words` that Whisper prints. What it prints before them is not speech. */
export function parseBracketedCues(text: string): readonly Cue[] {
  const cues: Cue[] = [];
  for (const line of text.split("\n")) {
    const [, from = "", until = "", words = ""] = bracketedCue.exec(line.trim()) ?? [];
    if (from === "") {
      const last = cues.pop();
      const more = line.trim();
      if (last !== undefined) cues.push({ ...last, text: `${last.text} ${more}`.trim() });
      continue;
    }
    const numbered = /^\((speaker [\d?]+)\)\s*/iu.exec(words);
    const spoken = numbered?.[1]
      ? { speaker: numbered[1].replace(/^s/u, "S"), text: words.slice(numbered[0].length) }
      : splitSpeaker(words.trim());
    cues.push({ ...cueTimes(parseClockTime(from), parseClockTime(until)), ...spoken });
  }
  return cues.filter((cue) => cue.text !== "");
}

function parseTimes(line: string, number: number): Pick<Cue, "startSec" | "endSec"> | undefined {
  const [, from, until = ""] = /^\s*(\d\S*)\s*-->\s*(\S*)/u.exec(line) ?? [];
  if (from === undefined) return undefined;
  const startSec = parseClockTime(from);
  if (startSec !== undefined) return cueTimes(startSec, parseClockTime(until));
  throw new InvalidEpisode(
    "transcript-time",
    `line ${number} of the transcript, "${line.trim().slice(0, 60)}", has no time of a cue such as 00:01:02.500`,
    { line: number },
  );
}

function readWords(words: string): Pick<Cue, "speaker" | "text"> {
  const voice = /<v(?:\.[^\s>]*)?\s+([^<>]+)>/.exec(words)?.[1];
  const text = plainWords(words.replace(/<[^<>]*>|\{\\[^{}]*\}/g, ""));
  const speaker = plainWords(voice ?? "");
  return speaker === "" ? splitSpeaker(text) : { speaker, text };
}

function plainWords(written: string): string {
  return decodeEntities(written, entityNames).replace(/\s+/g, " ").trim();
}

/** Names of HTML entities in subtitles and XML. */
export const entityNames = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "",
  rlm: "",
  amp: "&",
};
