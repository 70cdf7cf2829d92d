import { parseClockTime } from "./clock-time.ts";
import { type Cue, cueTimes } from "./cue.ts";

const time = String.raw`\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
/** Two spaces set the time off, so that a sentence which ends in a time is not taken for a name. */
const otterTurn = new RegExp(String.raw`^(\S[^\t\n]{0,60}?)(?: {2,}|\t+)(${time})\s*$`, "u");
const descriptTurn = new RegExp(
  String.raw`^(?:\*\*)?([^\s:*\[][^:*\[\n]{0,60}):(?:\*\*)?\s+\[(${time})\]\s*(.*)$`,
  "u",
);

export function isOtterTurn(line: string): boolean {
  return otterTurn.test(line.trim());
}

export function isDescriptTurn(line: string): boolean {
  return descriptTurn.test(line.trim());
}

/** Otter's text export: `Ada Bell  0:21` and what she says below. Title, keywords and footer are not speech. */
export function parseOtter(text: string): readonly Cue[] {
  const spoken = text.replace(/\n\s*Transcribed by https:\/\/otter\.ai\s*$/u, "\n");
  return parseTurns(spoken, (line) => {
    const [, speaker = "", at = ""] = otterTurn.exec(line) ?? [];
    return speaker === "" ? undefined : { speaker, at, words: "" };
  });
}

/** Descript's export with speakers and time codes: `Ada Bell: [00:00:21] Thanks.`, further codes inside a turn. */
export function parseDescript(text: string): readonly Cue[] {
  const turns = parseTurns(text, (line) => {
    const [, speaker = "", at = "", words = ""] = descriptTurn.exec(line) ?? [];
    return speaker === "" ? undefined : { speaker, at, words };
  });
  return turns.flatMap(splitAtTimes);
}

interface Turn {
  readonly speaker: string;
  readonly at: string;
  readonly words: string;
}

/** Lines before the first turn belong to the export, not to the conversation. */
function parseTurns(text: string, turnOf: (line: string) => Turn | undefined): readonly Cue[] {
  const cues: Cue[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const turn = turnOf(line);
    if (turn !== undefined) {
      const { speaker, at, words } = turn;
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
