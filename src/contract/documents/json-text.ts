import type { Json } from "../../domain/values/json.ts";

/** JSON as files hold it: sorted names, two spaces, readable characters, a newline at the end. */
export function jsonText(value: Json | object): string {
  return `${JSON.stringify(sorted(value as Json), undefined, 2)}\n`;
}

function sorted(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  const given = value as { readonly [name: string]: Json };
  const copy: Record<string, Json> = {};
  for (const name of Object.keys(given).sort()) {
    const member = sorted(given[name] as Json);
    // A member of this name is data like any other; assigned, it would become the prototype.
    if (name === "__proto__")
      Object.defineProperty(copy, name, { value: member, enumerable: true });
    else copy[name] = member;
  }
  return copy;
}

/** JSON with its names in the order given. */
export function plainJson(value: Json | object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
