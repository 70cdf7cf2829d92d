import { createHash, randomBytes } from "node:crypto";

/** A token or cookie: 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The form in which a secret is kept. It needs no salt: 256 random bits cannot be guessed. */
export function secretDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
