/**
 * How long a provider asks to wait, in milliseconds: `retry-after-ms`, or `Retry-After` as seconds or as an
 * HTTP date. Nonsense is no wish at all; a moment that has passed is no wait.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): number | undefined {
  const millis = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(millis) && millis >= 0) return Math.ceil(millis);
  const wish = headers["retry-after"]?.trim();
  if (wish === undefined || wish === "") return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(wish)) return Math.ceil(Number(wish) * 1000);
  const moment = /[a-z]{3}/iu.test(wish) ? Date.parse(wish) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs);
}
