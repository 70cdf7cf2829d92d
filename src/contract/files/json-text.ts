import type { Json } from "../../domain/values/json.ts";

/** JSON as files hold it: sorted names, two spaces, readable characters, a newline at the end. */
export function jsonText(value: Json): string {
  return `${JSON.stringify(sorted(value), undefined, 2)}\n`;
}

function sorted(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
