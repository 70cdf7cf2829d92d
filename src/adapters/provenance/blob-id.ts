import { createHash } from "node:crypto";

/** What git would call these bytes in a SHA-1 repository without filters. */
export function blobIdOf(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
