import { isSecret } from "../../domain/settings/redactor.ts";

const longest = 300;

/** Also matches keys of others: a server may quote what a proxy sent it. */
const looksSecret = /\bBearer\s+\S+|\bsk-[\w*-]{6,}/giu;

/** A server's message, fit for display: one line, bounded, without control characters and secrets. */
export function readableDetail(said: string, secrets: readonly string[]): string {
  let text = said;
  for (const secret of secrets.filter(isSecret)) text = text.replaceAll(secret, "[secret]");
  const line = text
    .replaceAll(looksSecret, "[secret]")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ")
    .trim();
  const points = [...line];
  return points.length > longest ? `${points.slice(0, longest).join("")}…` : line;
}
