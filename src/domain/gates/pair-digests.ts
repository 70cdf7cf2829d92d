import { canonicalJson } from "../values/canonical-json.ts";
import type { Json } from "../values/json.ts";
import { traitsOf, typeOf } from "./applicability.ts";
import type { NoteParts } from "./note-parts.ts";
import type { Rule } from "./rule-gate.ts";
import type { GateSnapshot } from "./snapshots.ts";
import { partOf } from "./trivial-change.ts";

/** Two versions of a pair with equal digests would be reviewed in the same words. */
export interface PairDigests {
  readonly note: string;
  readonly gate: string;
}

type Digest = (text: string) => string;
const length = 32;

/**
 * Of what a gate watches and of what it needs a note to be: a type or trait that the gate does not ask for changes
 * nothing. `undefined` if the front matter cannot be read.
 */
export function digestNote(
  parts: NoteParts,
  gate: Pick<GateSnapshot, "watches" | "requiresTrait" | "requiresType">,
  digest: Digest,
): string | undefined {
  if (parts.frontMatter.kind === "malformed") return undefined;
  const type = gate.requiresType.length === 0 ? null : typeOf(parts);
  const traits = traitsIn(parts).filter((trait) => gate.requiresTrait.includes(trait));
  return digest(canonicalJson([{ type, traits }, watchedIn(parts, gate)])).slice(0, length);
}

/** As earlier versions of this program filed it: every trait counted, and the gate's description. */
export function digestAsBefore(
  parts: NoteParts,
  gate: DigestedGate,
  digest: Digest,
): Partial<PairDigests> {
  const shown = [gate.kind, gate.description ?? "", ...shownOf(gate)];
  const former = { gate: digest(canonicalJson(shown)).slice(0, length) };
  if (parts.frontMatter.kind === "malformed") return former;
  const watched = watchedIn(parts, gate);
  const note = digest(canonicalJson([typeOf(parts), traitsIn(parts), watched])).slice(0, length);
  return { ...former, note };
}

function traitsIn(parts: NoteParts): readonly string[] {
  return [...new Set(traitsOf(parts))].sort();
}

function watchedIn(parts: NoteParts, { watches }: Pick<GateSnapshot, "watches">): Json {
  return [...watches].sort().map((part) => [part, partOf(parts, part) ?? null]);
}

export type DigestedGate = Pick<
  GateSnapshot,
  "kind" | "watches" | "requiresTrait" | "requiresType" | "body"
> & { readonly description?: string; readonly rules: readonly Rule[] };

/** Of all that a reviewer is shown of a gate, and of what decides which notes it applies to. */
export function digestGate(gate: DigestedGate, digest: Digest): string {
  return digest(canonicalJson([gate.kind, ...shownOf(gate)])).slice(0, length);
}

function shownOf({ body, rules, ...gate }: DigestedGate): readonly Json[] {
  const lists = [gate.watches, gate.requiresTrait, gate.requiresType].map((list) =>
    [...new Set(list)].sort(),
  );
  return [body, rules as unknown as Json, lists];
}
