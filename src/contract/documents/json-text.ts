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

/**
 * JSON for a screen, a log or a report, which may hold words of anybody. Characters that a terminal would act on or hide
 * are escaped, so it is the same document. Without `indent` it is one line.
 */
export function printableJson(value: Json | object, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return `${text.replace(unprintable, escaped).replace(command, "#\\u0023")}\n`;
}

/** `##[…]` and the like are commands to some CI systems wherever they stand in a line. */
const command = /##(?=\[|vso\[|teamcity\[)/gu;

/** JSON itself escapes only the ASCII control characters, not eight-bit, direction and invisible ones. */
const unprintable = /(?!\n)[\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
