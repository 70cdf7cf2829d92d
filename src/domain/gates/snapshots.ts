import type { WatchedPart } from "./note-parts.ts";

/** A note as read at the start of a command. Identity is the git blob id, never a time. */
export interface NoteSnapshot {
  readonly path: string;
  readonly blobSha: string;
  /** Absent: this version is not committed. */
  readonly commit?: string;
  readonly text: string;
}

export type GateKind = "judge" | "rule";

/** Lowest decision that makes a pair fail in CI. */
export type FailLevel = "warn" | "fail";

/** A gate as it was read from its file. */
export interface GateSnapshot {
  /** Path below the gate folder without `.md`, e.g. `prose/source-residue`. */
  readonly id: string;
  readonly blobSha: string;
  readonly commit?: string;
  readonly kind: GateKind;
  readonly watches: readonly WatchedPart[];
  /** Any of these; empty: every note. */
  readonly requiresTrait: readonly string[];
  readonly requiresType: readonly string[];
  readonly failLevel: FailLevel;
  /** The instructions for the reviewer: the file without its front matter. */
  readonly body: string;
}

/** Says that for this pair and model exactly these two versions were reviewed or acknowledged. */
export interface AcceptanceSnapshot {
  readonly notePath: string;
  readonly gateId: string;
  readonly modelId: string;
  readonly acceptedNoteSha: string;
  readonly acceptedGateSha: string;
}

/** The folder a gate is in; gates of one lens may share a prompt. */
export function lensOf(gateId: string): string {
  const slash = gateId.lastIndexOf("/");
  return slash === -1 ? "" : gateId.slice(0, slash);
}
