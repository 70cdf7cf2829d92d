import { InvalidEpisode } from "./invalid-episode.ts";

/**
 * A name as one segment of a path: runs of other characters become `_`, edges are stripped. Separators are
 * refused, not replaced: a caller that passes one meant a path.
 */
export function pathSegment(text: string): string {
  if (/[/\\]/.test(text)) {
    throw new InvalidEpisode(
      "path-segment",
      `"${text}": path segment must not contain path separators`,
    );
  }
  const segment = sanitised(text);
  if (segment === "") {
    throw new InvalidEpisode("path-segment", `"${text}" leaves nothing that can be a file name`);
  }
  if (segment.length > longestSegment) {
    throw new InvalidEpisode("path-segment", `"${text.slice(0, 40)}…" is too long for a file name`);
  }
  return segment;
}

/** A reviewer's label inside a file name. Labels come from people and models, so anything becomes a name. */
export function reviewerLabel(text: string): string {
  return (
    sanitised(text)
      .slice(0, longestLabel)
      .replace(/[._-]+$/, "") || "reviewer"
  );
}

function sanitised(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]+/g, "_")
    .replace(/^[._-]+/, "")
    .replace(/[._-]+$/, "");
}

/** Leaves room for prefixes and extensions below the 255 bytes a file name may have. */
const longestSegment = 200;
const longestLabel = 80;
