/** How the last message is found in what a coder prints. */
export type CoderOutput = "text" | "claude-json" | "codex-json" | "gemini-json";

/** A coder as it is configured. `{prompt_file}` in an argument is the prompt's path; else it gets the prompt on stdin. */
export interface CoderProgram {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly reads: CoderOutput;
}

/** A coder program to be run: arguments as they are, never through a shell; `input` goes to its stdin. */
export interface CoderCommand extends CoderProgram {
  readonly input: string;
}

export interface CoderRun {
  readonly stdout: string;
  readonly stderr: string;
  /** The last message inside `stdout`. */
  readonly reply: string;
  /** Absent when a signal ended it. */
  readonly exitCode?: number;
  readonly timedOut: boolean;
}

/** Runs a coder to its end. Ending the signal ends the program and everything it started. */
export type RunCoder = (command: CoderCommand, signal: AbortSignal) => Promise<CoderRun>;

/** What a coder changed, seen from outside. */
export interface CodeChange {
  readonly kind: "git" | "files";
  readonly before: string;
  readonly after: string;
  readonly diffStat: string;
  readonly changedFiles: readonly string[];
}

/** Everything that a verdict about a loop or stage could rest on, as it was when the watch began. */
export interface EvidenceWatch {
  readonly digests: { readonly [name: string]: string };
  /** Names of what is different now; what was added since proves nothing and does not count. */
  readonly changed: () => Promise<readonly string[]>;
}

/** Takes the digests of the files and rows of a loop or stage, of the settings, and of this program itself. */
export type WatchEvidence = (folder: string) => Promise<EvidenceWatch>;

/** Records the present code and later reports what has changed; `globs` matter only outside git. */
export type WatchCode = (globs: readonly string[]) => Promise<() => Promise<CodeChange>>;
