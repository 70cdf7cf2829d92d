import { HttpProblem } from "./http-problem.ts";

type CursorParts = readonly (string | number)[];

/** One more item than the page holds was loaded, which shows whether another page follows. */
export function pageOf<T>(found: readonly T[], limit: number, cursorOf: (last: T) => CursorParts) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || found.length <= limit) return { items, next: {} };
  return { items, next: { nextCursor: writeCursor(cursorOf(last)) } };
}

export function writeCursor(parts: CursorParts): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** The parts of a cursor that this server wrote; anything else is refused before it reaches the store. */
export function readCursor(text: string, types: readonly ("string" | "number")[]): CursorParts {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const fits = Array.isArray(parts) && parts.length === types.length;
    if (fits && parts.every((part, at) => typeof part === types[at])) return parts;
  } catch {
    // Refused below.
  }
  throw new HttpProblem(422, {
    code: "cursor-invalid",
    message: "That cursor was not issued by this server.",
    hint: "Use next_cursor of the previous page, or omit it for the first page.",
  });
}
