import { parseClockTime } from "./clock-time.ts";
import { type Cue, cueTimes, splitSpeaker } from "./cue.ts";

/** Cues of WebVTT and SubRip. Styling, notes and numbers are dropped; `<v Name>` is the speaker. */
export function parseSubtitles(text: string): readonly Cue[] {
  const cues: Cue[] = [];
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split("\n").filter((line) => line.trim() !== "");
    const at = lines.findIndex((line) => line.includes("-->"));
    if (at < 0 || at > 1) continue;
    const times = parseTimes(lines[at] ?? "");
    const words = lines.slice(at + 1).join(" ");
    if (times === undefined || words === "") continue;
    const spoken = readWords(words);
    if (spoken.text !== "") cues.push({ ...times, ...spoken });
  }
  return cues;
}

const bracketed = /^\[([\d:.,]+)\s+-->\s+([\d:.,]+)\]\s*(.*)$/u;

export function isBracketedCue(line: string): boolean {
  return bracketed.test(line);
}

/** The lines `[00:00.000 --> 00:04.000]  words` that Whisper prints. What it prints before them is not speech. */
export function parseBracketedCues(text: string): readonly Cue[] {
  const cues: Cue[] = [];
  for (const line of text.split("\n")) {
    const [, from = "", until = "", words = ""] = bracketed.exec(line.trim()) ?? [];
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

function parseTimes(line: string): Pick<Cue, "startSec" | "endSec"> | undefined {
  const [from = "", rest = ""] = line.split("-->");
  const startSec = parseClockTime(from.trim());
  const endSec = parseClockTime(rest.trim().split(/\s/)[0] ?? "");
  return startSec === undefined ? undefined : cueTimes(startSec, endSec);
}

function readWords(words: string): Pick<Cue, "speaker" | "text"> {
  const voice = /<v(?:\.[^\s>]*)?\s+([^<>]+)>/.exec(words)?.[1]?.trim();
  const text = decodeEntities(words.replace(/<[^<>]*>/g, ""))
    .replace(/\s+/g, " ")
    .trim();
  return voice === undefined || voice === "" ? splitSpeaker(text) : { speaker: voice, text };
}

const entities: { readonly [name: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&nbsp;": " ",
  "&lrm;": "",
  "&rlm;": "",
  "&amp;": "&",
};

export function decodeEntities(text: string): string {
  return text.replace(/&[a-z]+;/g, (entity) => entities[entity] ?? entity);
}
