/** A coder program to be run: arguments as they are, never through a shell; the prompt goes to its stdin. */
export interface CoderCommand {
  readonly argv: readonly string[];
  readonly prompt: string;
  readonly timeoutMs: number;
}

export interface CoderRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Absent when a signal ended it. */
  readonly exitCode?: number;
  readonly timedOut: boolean;
}

/** Runs a coder to its end. Ending the signal ends the program and everything it started. */
export type RunCoder = (command: CoderCommand, signal: AbortSignal) => Promise<CoderRun>;
