import type { Instant } from "../values/instant.ts";
import type { Json } from "../values/json.ts";

/** Where a text or a verdict comes from: a run, a prompt, a person. */
export interface ProvenanceRef {
  readonly kind: string;
  readonly ref: string;
  readonly createdAt?: Instant;
  readonly metadata: { readonly [name: string]: Json };
}
