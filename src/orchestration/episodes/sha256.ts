import { createHash } from "node:crypto";
import { type Digest, digest } from "../../domain/values/digest.ts";

export function sha256Digest(text: string): Digest {
  return digest(createHash("sha256").update(text).digest("hex"));
}
