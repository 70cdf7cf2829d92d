import type { Json } from "../values/json.ts";
import { frontMatterValue, type NoteParts } from "./note-parts.ts";
import type { GateSnapshot } from "./snapshots.ts";

interface Refusal {
  readonly applies: false;
  readonly reason: "malformed-front-matter" | "trait-missing" | "type-differs";
  readonly explanation: string;
}

export type Applicability = { readonly applies: true } | Refusal;

type GateNeeds = Pick<GateSnapshot, "requiresTrait" | "requiresType">;
type NoteFacts = Pick<NoteParts, "frontMatter">;

/**
 * A gate without requirements applies to every note, readable front matter or not. With requirements, unreadable
 * front matter is its own answer: it must be reported and never read as "no traits".
 */
export function gateAppliesToNote(gate: GateNeeds, note: NoteFacts): Applicability {
  const { requiresTrait, requiresType } = gate;
  const { frontMatter } = note;
  if (requiresTrait.length === 0 && requiresType.length === 0) return { applies: true };
  const refuse = (reason: Refusal["reason"], explanation: string) =>
    ({ applies: false, reason, explanation }) as const;
  if (frontMatter.kind === "malformed") {
    const explanation = `line ${frontMatter.line}: the front matter ${frontMatter.message}`;
    return refuse("malformed-front-matter", explanation);
  }
  const traits = traitsOf(note);
  if (requiresTrait.length > 0 && !requiresTrait.some((trait) => traits.includes(trait))) {
    const explanation = `needs one of the traits ${requiresTrait.join(", ")}; the note has ${traits.join(", ") || "none"}`;
    return refuse("trait-missing", explanation);
  }
  const type = typeOf(note);
  if (requiresType.length === 0 || requiresType.map(bareType).includes(bareType(type)))
    return { applies: true };
  const explanation = `needs one of the types ${requiresType.join(", ")}; the note is ${type}`;
  return refuse("type-differs", explanation);
}

/** A type may be named by the file that describes it: `kb/types/definition.md` is `definition`. */
function bareType(type: string): string {
  return type.endsWith(".md") ? type.slice(type.lastIndexOf("/") + 1, -".md".length) : type;
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
