import type { Check } from "../../../../domain/drafting/recipe.ts";
import { codePoints } from "../words.ts";

/** Whether a line keeps the limits a writer can keep by choosing another line. */
export function keepsLimits(text: string, checks: readonly Check[]): boolean {
  return checks.every((check) => {
    switch (check.kind) {
      case "max_length":
        return codePoints(text) <= check.characters;
      case "min_length":
        return codePoints(text) >= check.characters;
      case "banned_words":
        return !check.words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
      case "required_text":
        return text.includes(check.text);
      default:
        return true;
    }
  });
}
