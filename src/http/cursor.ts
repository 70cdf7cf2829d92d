import { HttpProblem } from "./http-problem.ts";

/** A place in a list as opaque text. */
export function writeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** The parts of a cursor of ours; anything else is refused before it comes near the store. */
export function readCursor(
  text: string,
  types: readonly ("string" | "number")[],
): readonly (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length === types.length) {
      if (parts.every((part, at) => typeof part === types[at])) return parts;
    }
  } catch {
    // Not ours: said below.
  }
  throw new HttpProblem(422, {
    code: "cursor-invalid",
    message: "That cursor is not one of this server's.",
    hint: "Take next_cursor of the page before, or leave it out for the first page.",
  });
}
