const longest = 300;

/** Keys of others too: a server may quote what a proxy sent it. */
const looksSecret = /\bBearer\s+\S+|\bsk-[\w*-]{6,}/giu;

/** What a server said, fit to be shown: one line, bounded, without control characters and without our secrets. */
export function readableDetail(said: string, secrets: readonly string[]): string {
  let text = said;
  for (const secret of secrets) {
    if (secret !== "") text = text.replaceAll(secret, "[secret]");
  }
  const line = text
    .replaceAll(looksSecret, "[secret]")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ")
    .trim();
  const points = [...line];
  return points.length > longest ? `${points.slice(0, longest).join("")}…` : line;
}
