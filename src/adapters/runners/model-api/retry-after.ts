/**
 * How long a provider asks to wait, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date.
 * Invalid values are ignored; a time in the past means no wait.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): number | undefined {
  const millis = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(millis) && millis >= 0) return Math.ceil(millis);
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(value)) return Math.ceil(Number(value) * 1000);
  const time = /[a-z]{3}/iu.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}
