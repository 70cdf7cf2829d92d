import type { Json } from "../../domain/values/json.ts";
import type { Sink } from "./screen.ts";

/** One JSON document. Characters that a terminal would act on or hide are escaped. */
export function writeJson(sink: Sink, json: Json): void {
  sink.write(
    `${JSON.stringify(json, undefined, 2).replace(unprintable, escaped).replace(command, "#\\u0023")}\n`,
  );
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
