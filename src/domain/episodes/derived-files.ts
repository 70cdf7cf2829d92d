import type { ProvenanceRef } from "../drafting/provenance.ts";
import { type Digest, digest } from "../values/digest.ts";

export interface Source {
  readonly path: string;
  readonly digest: Digest;
}

/** A file or text made from others, with what those were when it was made. */
export interface DerivedFile {
  readonly path: string;
  readonly sources: readonly Source[];
}

export type Freshness =
  | { readonly kind: "fresh" }
  /** Nothing says what it was made from: files of other programs, texts by people. */
  | { readonly kind: "unknown" }
  | { readonly kind: "stale"; readonly because: string };

/** How a derived file remembers its sources, in the provenance every shape already has. */
export function derivedFrom(source: Source): ProvenanceRef {
  return { kind: "derived_from", ref: source.path, metadata: { sha256: source.digest } };
}

export function sourcesOf(provenance: readonly ProvenanceRef[]): readonly Source[] {
  return provenance.flatMap(({ kind, ref, metadata }) =>
    kind === "derived_from" && typeof metadata.sha256 === "string"
      ? [{ path: ref, digest: digest(metadata.sha256) }]
      : [],
  );
}

/** Whether a text was written from this source, and nothing that it was written from has changed since. */
export function isMadeFrom(
  provenance: readonly ProvenanceRef[],
  mainSource: string,
  current: readonly Source[],
): boolean {
  const named = sourcesOf(provenance);
  const isCurrent = ({ path, digest: now }: Source): boolean =>
    current.some((one) => one.path === path && one.digest === now);
  return named.some(({ path }) => path === mainSource) && named.every(isCurrent);
}

/**
 * Which derived files no longer fit what they were made from. A file is stale when a source changed, is gone,
 * or is stale itself, so a new transcript reaches the selections through every step between.
 */
export function classifyDerivedFiles(
  files: readonly DerivedFile[],
  current: ReadonlyMap<string, Digest>,
): ReadonlyMap<string, Freshness> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, Freshness>();
  const classify = (path: string): Freshness => {
    const earlier = known.get(path);
    if (earlier !== undefined) return earlier;
    const file = byPath.get(path);
    if (file === undefined) return { kind: "fresh" };
    known.set(path, { kind: "unknown" });
    const found = classifyOne(file, current, classify);
    known.set(path, found);
    return found;
  };
  for (const file of files) classify(file.path);
  return known;
}

function classifyOne(
  file: DerivedFile,
  current: ReadonlyMap<string, Digest>,
  classify: (path: string) => Freshness,
): Freshness {
  if (file.sources.length === 0) return { kind: "unknown" };
  let result: Freshness = { kind: "fresh" };
  for (const source of file.sources) {
    const now = current.get(source.path);
    if (now === undefined) return { kind: "stale", because: `${source.path} is gone` };
    if (now !== source.digest) return { kind: "stale", because: `${source.path} changed` };
    const inherited = classify(source.path);
    if (inherited.kind === "stale") return inherited;
    if (inherited.kind === "unknown") result = inherited;
  }
  return result;
}
