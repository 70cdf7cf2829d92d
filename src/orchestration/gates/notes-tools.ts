import type { NotesSettings } from "../../domain/gates/notes-settings.ts";
import type { MatchPattern } from "../../domain/gates/rule-gate.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { NoteFiles } from "../../ports/note-files.ts";
import type { NoteSource } from "../../ports/note-source.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Store } from "../../ports/store.ts";

/** Patterns of rule gates. */
export interface Patterns {
  readonly matches: MatchPattern;
  /** Why a pattern cannot be used. */
  readonly check: (pattern: string) => string | undefined;
}

/** What every command on notes works with. */
export interface NotesTools {
  readonly settings: NotesSettings;
  readonly source: NoteSource;
  readonly files: NoteFiles;
  readonly clock: Clock;
  readonly digest: (text: string) => string;
  /** Loaded by those that meet a rule: most commands need no pattern. */
  readonly loadPatterns: () => Promise<Patterns>;
  /** Absent where nothing was reviewed yet. */
  readonly store?: Store<Repos>;
}

/** The same, for commands that write. */
export type WritingTools = NotesTools & {
  readonly store: Store<Repos>;
  readonly exclusively: Exclusively;
  /** Notes which versions each step works on: found stale, captured, filed. */
  readonly trace?: (step: ReviewStep, facts: { readonly [name: string]: Json }) => void;
};

export type ReviewStep = "pair-stale" | "pair-captured" | "pair-filed";
