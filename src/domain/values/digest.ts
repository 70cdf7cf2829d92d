import type { Brand } from "./brand.ts";

/** Lower-case hexadecimal SHA-256. */
export type Digest = Brand<string, "Digest">;

export function digest(hex: string): Digest {
  return hex as Digest;
}
