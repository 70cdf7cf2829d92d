import { parseClockTime } from "./clock-time.ts";
import { type Cue, splitSpeaker } from "./cue.ts";

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

function parseTimes(line: string): Pick<Cue, "startSec" | "endSec"> | undefined {
  const [from = "", rest = ""] = line.split("-->");
  const startSec = parseClockTime(from.trim());
  const endSec = parseClockTime(rest.trim().split(/\s/)[0] ?? "");
  if (startSec === undefined) return undefined;
  return endSec !== undefined && endSec > startSec ? { startSec, endSec } : { startSec };
}

function readWords(words: string): Pick<Cue, "speaker" | "text"> {
  const voice = /<v(?:\.[^\s>]*)?\s+([^<>]+)>/.exec(words)?.[1]?.trim();
  const text = decode(words.replace(/<[^<>]*>/g, ""))
    .replace(/\s+/g, " ")
    .trim();
  return voice === undefined || voice === "" ? splitSpeaker(text) : { speaker: voice, text };
}

const entities: { readonly [name: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
  "&lrm;": "",
  "&rlm;": "",
  "&amp;": "&",
};

function decode(text: string): string {
  return text.replace(/&(?:lt|gt|nbsp|lrm|rlm|amp);/g, (entity) => entities[entity] ?? entity);
}
