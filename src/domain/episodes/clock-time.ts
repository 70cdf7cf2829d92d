/** Seconds of `MM:SS`, `H:MM:SS` or `HH:MM:SS`, with optional `.mmm` or `,mmm`; undefined for anything else. */
export function parseClockTime(text: string): number | undefined {
  const parts = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{2})(?:[.,](\d{1,3}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, hours, minutes, seconds, fraction] = parts;
  const second = Number(seconds);
  const minute = Number(minutes);
  if (second > 59 || (hours !== undefined && minute > 59)) return undefined;
  const millis = Number((fraction ?? "").padEnd(3, "0"));
  return Number(hours ?? 0) * 3600 + minute * 60 + second + millis / 1000;
}

/** `MM:SS` below an hour, else `HH:MM:SS`; fractions are cut, so a mark never points past what it marks. */
export function clockTime(seconds: number, withHours = seconds >= 3600): string {
  const whole = Math.floor(seconds);
  const pad = (part: number): string => String(part).padStart(2, "0");
  const tail = `${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
  return withHours ? `${pad(Math.floor(whole / 3600))}:${tail}` : tail;
}
