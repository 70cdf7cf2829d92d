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

/** Of what a gate watches and what decides whether it applies. `undefined` if the front matter cannot be read. */
export function digestNote(
  parts: NoteParts,
  { watches }: Pick<GateSnapshot, "watches">,
  digest: Digest,
): string | undefined {
  if (parts.frontMatter.kind === "malformed") return undefined;
  const watched = [...watches].sort().map((part) => [part, partOf(parts, part) ?? null]);
  const traits = [...new Set(traitsOf(parts))].sort();
  return digest(canonicalJson([typeOf(parts), traits, watched])).slice(0, length);
}

export type DigestedGate = Pick<
  GateSnapshot,
  "kind" | "watches" | "requiresTrait" | "requiresType" | "body"
> & { readonly description?: string; readonly rules: readonly Rule[] };

/** Of all that a reviewer is shown of a gate, and of what decides which notes it applies to. */
export function digestGate(gate: DigestedGate, digest: Digest): string {
  const { kind, body, description = "", rules } = gate;
  const lists = [gate.watches, gate.requiresTrait, gate.requiresType].map((list) =>
    [...new Set(list)].sort(),
  );
  const shown = [kind, description, body, rules as unknown as Json, lists];
  return digest(canonicalJson(shown)).slice(0, length);
}
