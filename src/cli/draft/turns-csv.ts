import type { DraftSession } from "../../domain/drafting/session.ts";

const head = ["turn_number", "text", "feedback", "approved", "timestamp", "duration_seconds"];

/** One line per turn, in the format of RFC 4180. */
export function renderTurnsCsv({ turns }: DraftSession): string {
  const rows = turns.map(({ turnNumber, text, feedback, approved, timestamp, durationSeconds }) => [
    ...[String(turnNumber), text, feedback ?? "", String(approved), timestamp],
    String(durationSeconds),
  ]);
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Spreadsheets run cells that look like a formula, and replies and briefs are untrusted text. */
function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
