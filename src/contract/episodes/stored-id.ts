import { uuidOfSha1 } from "../../domain/values/uuid-of-sha1.ts";

/**
 * The id of a candidate or issue that another program wrote without one. It depends on the text alone, so every file that
 * holds a copy gives the same id. FNV-1a is enough to tell a workspace's texts apart; it proves nothing.
 */
export function storedIdOf(...parts: readonly string[]): string {
  const text = parts.join("\u0000");
  const words = [0, 1, 2, 3, 4].map((seed) => {
    let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
    for (let at = 0; at < text.length; at += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
    return (hash >>> 0).toString(16).padStart(8, "0");
  });
  return uuidOfSha1(words.join(""));
}
