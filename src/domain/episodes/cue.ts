/** One stretch of speech. Times and speaker are there when the source has them. */
export interface Cue {
  readonly startSec?: number;
  readonly endSec?: number;
  readonly speaker?: string;
  readonly text: string;
}

/** Speakers in the order they first speak. */
export function speakersOf(cues: readonly Cue[]): readonly string[] {
  return [...new Set(cues.flatMap((cue) => (cue.speaker === undefined ? [] : [cue.speaker])))];
}

/** Splits `Ada Bell: and so on` or `[SPEAKER_00]: and so on`; a colon inside a sentence is not a label. */
export function splitSpeaker(line: string): Pick<Cue, "speaker" | "text"> {
  const label =
    /^(?:(\p{Lu}[\p{L}\p{M}\p{N}.'’_-]*(?: [\p{Lu}\p{N}][\p{L}\p{M}\p{N}.'’_-]*){0,3})|\[([\p{L}\p{N} _-]{1,40})\]):(?:\s+|$)/u.exec(
      line,
    );
  const speaker = label?.[1] ?? label?.[2];
  if (label === null || speaker === undefined) return { text: line };
  return { speaker, text: line.slice(label[0].length) };
}

/** Start and end as a source gives them; an end that is not after its start is dropped. */
export function cueTimes(
  startSec: number | undefined,
  endSec: number | undefined,
): Pick<Cue, "startSec" | "endSec"> {
  if (startSec === undefined) return {};
  return endSec !== undefined && endSec > startSec ? { startSec, endSec } : { startSec };
}
