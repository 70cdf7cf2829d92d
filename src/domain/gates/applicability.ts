import type { Json } from "../values/json.ts";
import { frontMatterValue, type NoteParts } from "./note-parts.ts";
import type { GateSnapshot } from "./snapshots.ts";

export type Applicability =
  | { readonly applies: true }
  | {
      readonly applies: false;
      readonly reason: "malformed-front-matter" | "trait-missing" | "type-differs";
      readonly explanation: string;
    };

const applies: Applicability = { applies: true };

type GateNeeds = Pick<GateSnapshot, "requiresTrait" | "requiresType">;
type NoteFacts = Pick<NoteParts, "frontMatter">;

/**
 * A gate without requirements applies to every note, readable front matter or not. With requirements, unreadable
 * front matter is its own answer: it must be reported and never read as "no traits".
 */
export function gateAppliesToNote(gate: GateNeeds, note: NoteFacts): Applicability {
  if (gate.requiresTrait.length === 0 && gate.requiresType.length === 0) return applies;
  if (note.frontMatter.kind === "malformed")
    return {
      applies: false,
      reason: "malformed-front-matter",
      explanation: `line ${note.frontMatter.line}: the front matter ${note.frontMatter.message}`,
    };
  const traits = traitsOf(note);
  if (gate.requiresTrait.length > 0 && !gate.requiresTrait.some((trait) => traits.includes(trait)))
    return {
      applies: false,
      reason: "trait-missing",
      explanation: `needs one of the traits ${gate.requiresTrait.join(", ")}; the note has ${traits.join(", ") || "none"}`,
    };
  const type = typeOf(note);
  if (gate.requiresType.length > 0 && !gate.requiresType.includes(type))
    return {
      applies: false,
      reason: "type-differs",
      explanation: `needs one of the types ${gate.requiresType.join(", ")}; the note is ${type}`,
    };
  return applies;
}

export function traitsOf(note: NoteFacts): readonly string[] {
  return textsOf(frontMatterValue(note, "traits"));
}

/** A note that names no type is a `note`. */
export function typeOf(note: NoteFacts): string {
  return textsOf(frontMatterValue(note, "type"))[0] ?? "note";
}

function textsOf(value: Json | undefined): readonly string[] {
  const items: readonly Json[] = Array.isArray(value) ? value : [value ?? null];
  return items.flatMap((item) =>
    typeof item === "string" && item.trim() !== "" ? [item.trim()] : [],
  );
}
