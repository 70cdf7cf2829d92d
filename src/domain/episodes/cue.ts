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

/** Splits `Ada Bell: and so on` into speaker and words; a colon inside a sentence is not a label. */
export function splitSpeaker(line: string): Pick<Cue, "speaker" | "text"> {
  const label =
    /^(\p{Lu}[\p{L}\p{M}\p{N}.'’_-]*(?: \p{Lu}[\p{L}\p{M}\p{N}.'’_-]*){0,3}):(?:\s+|$)/u.exec(line);
  const speaker = label?.[1];
  if (label === null || speaker === undefined) return { text: line };
  return { speaker, text: line.slice(label[0].length) };
}
