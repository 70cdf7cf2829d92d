import { parseClockTime } from "./clock-time.ts";
import { type Cue, cueTimes, splitSpeaker } from "./cue.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

export interface JsonTranscript {
  readonly format: "whisper-json" | "podcast-json";
  readonly cues: readonly Cue[];
}

type Fields = { readonly [name: string]: unknown };

/**
 * Cues of the JSON that transcription programs write: Whisper and its relatives (`segments` with `start`, `end` and
 * `text`; whisper.cpp's `transcription`; the `chunks` of Hugging Face pipelines) and Podcasting 2.0 (`segments` with
 * `startTime`, `endTime` and `body`). Undefined for any other JSON.
 */
export function readTranscriptJson(json: unknown): JsonTranscript | undefined {
  const { segments, transcription, chunks } = fieldsOf(
    Array.isArray(json) ? { segments: json } : json,
  );
  const parts = [segments, transcription, chunks].find(Array.isArray)?.map(fieldsOf);
  if (parts === undefined || parts.length === 0) return undefined;
  const isPodcast = parts.every((part) => "body" in part && "startTime" in part);
  const isWhisper = parts.every(
    (part) => "text" in part && whisperTimes(part).startSec !== undefined,
  );
  if (!isPodcast && !isWhisper) return undefined;
  const cues = parts.map((part, at) => {
    const words = isPodcast ? part.body : part.text;
    if (typeof words !== "string") {
      const message = `segment ${at + 1} of the transcript has no text`;
      throw new InvalidEpisode("transcript-segment", message, { segment: at + 1 });
    }
    const times = isPodcast
      ? cueTimes(seconds(part.startTime), seconds(part.endTime))
      : whisperTimes(part);
    const { speaker } = part;
    const text = words.replace(/\s+/gu, " ").trim();
    const isNamed = typeof speaker === "string" && speaker.trim() !== "";
    return {
      ...times,
      ...(isNamed ? { speaker: speaker.trim().replace(/\s+/gu, " "), text } : splitSpeaker(text)),
    };
  });
  return {
    format: isPodcast ? "podcast-json" : "whisper-json",
    cues: cues.filter((cue) => cue.text !== ""),
  };
}

function whisperTimes(part: Fields): Pick<Cue, "startSec" | "endSec"> {
  const { from, to } = fieldsOf(part.timestamps);
  const [begin, finish] = Array.isArray(part.timestamp) ? part.timestamp : [];
  return cueTimes(seconds(part.start ?? from ?? begin), seconds(part.end ?? to ?? finish));
}

/** A number of seconds, or `00:00:04,000`. */
export function seconds(value: unknown): number | undefined {
  if (typeof value === "string") return parseClockTime(value.trim()) ?? decimal(value);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function decimal(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/u.test(text.trim()) ? Number(text) : undefined;
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
