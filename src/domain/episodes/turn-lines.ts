import { parseClockTime } from "./clock-time.ts";
import { type Cue, cueTimes } from "./cue.ts";

const time = String.raw`\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
/** Two spaces set the time off, so that a sentence which ends in a time is not taken for a name. */
export const otterTurn = new RegExp(String.raw`^(\S[^\t\n]{0,60}?)(?: {2,}|\t+)(${time})\s*$`, "u");
export const riversideTurn = new RegExp(String.raw`^(\S[^\t\n()]{0,60}?) \((${time})\):?$`, "u");
export const descriptTurn = new RegExp(
  String.raw`^(?:\*\*)?([^\s:*\[][^:*\[\n]{0,60}):(?:\*\*)?\s+\[(${time})\]\s*(.*)$`,
  "u",
);

/** Otter's text export: `Ada Bell  0:21` and what she says below. Title, keywords and footer are not speech. */
export function parseOtter(text: string): readonly Cue[] {
  const spoken = text.replace(/\n\s*Transcribed by https:\/\/otter\.ai\s*$/u, "\n");
  return parseTurns(spoken, otterTurn);
}

/** The text exports of Riverside and Rev: `Ada Bell (00:21.30)`, with a colon in Rev's, and what she says below. */
export function parseRiverside(text: string): readonly Cue[] {
  return parseTurns(text, riversideTurn);
}

/** Descript's export with speakers and time codes: `Ada Bell: [00:00:21] Thanks.`, further codes inside a turn. */
export function parseDescript(text: string): readonly Cue[] {
  return parseTurns(text, descriptTurn).flatMap(splitAtTimes);
}

/** A turn gives speaker, time and perhaps words. Lines before the first belong to the export, not to the conversation. */
function parseTurns(text: string, turn: RegExp): readonly Cue[] {
  const cues: Cue[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const [, speaker = "", at = "", words = ""] = turn.exec(line) ?? [];
    if (speaker !== "") {
      cues.push({ ...cueTimes(parseClockTime(at), undefined), speaker, text: words });
      continue;
    }
    const last = cues.pop();
    if (last !== undefined) cues.push({ ...last, text: `${last.text} ${line}`.trim() });
  }
  return cues.filter((cue) => cue.text !== "");
}

function splitAtTimes(cue: Cue): readonly Cue[] {
  const [first = "", ...rest] = cue.text.split(new RegExp(String.raw`\[(${time})\]`, "u"));
  const cues = [{ ...cue, text: first.trim() }];
  for (let at = 0; at < rest.length; at += 2) {
    const times = cueTimes(parseClockTime(rest[at] ?? ""), undefined);
    cues.push({ ...cue, ...times, text: (rest[at + 1] ?? "").trim() });
  }
  return cues.filter(({ text }) => text !== "");
}
