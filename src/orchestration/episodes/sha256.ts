import { createHash } from "node:crypto";
import { type Digest, digest } from "../../domain/values/digest.ts";

export function sha256Digest(text: string): Digest {
  return digest(createHash("sha256").update(text).digest("hex"));
}

/** What a text is recognised by, whatever its white space and case. */
export function textKey(text: string): string {
  return sha256Digest(text.toLowerCase().replace(/\s+/gu, " ").trim()).slice(0, 32);
}
