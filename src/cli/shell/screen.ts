/** An output stream for a person or a log. Lines written to it were laid out, so they are safe. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Read before each print, because terminals are resized. */
  columns(): number;
  write(text: string): void;
  /** Whether a CI system acts on lines of the log. */
  readonly isWatched?: () => boolean;
}

/** Where commands print. The result goes to `out`, everything about it to `err`. */
export interface Screen {
  readonly out: Sink;
  readonly err: Sink;
}

/** The few members of a stream that a sink needs. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on?(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Width of logs and of terminals that do not report theirs. */
const usualColumns = 80;

/** Longer lines are hard to read, however wide the window is. */
const widestColumns = 110;

/** `onLost`: the result could not be printed. Lost remarks do not matter. */
export function openScreen(
  streams: { readonly stdout: TextStream; readonly stderr: TextStream },
  onLost: (error: Error) => void,
  isWatched: () => boolean = () => false,
): Screen {
  return {
    out: { ...sinkOf(streams.stdout, onLost), isWatched },
    err: { ...sinkOf(streams.stderr, () => undefined), isWatched },
  };
}

export function printLines(sink: Sink, lines: readonly string[]): void {
  if (lines.length > 0) sink.write(`${forLog(sink, lines).join("\n")}\n`);
}

/** Lines as they may be printed where a CI system reads the log. */
export function forLog(sink: Sink, lines: readonly string[]): readonly string[] {
  return sink.isWatched?.() === true ? lines.map(defused) : lines;
}

/** No line is a command to GitHub (`::error`, `##[…]`), Azure (`##vso[…]`) or TeamCity (`##teamcity[…]`). */
function defused(line: string): string {
  return line.replace(/^(\s*):(?=:)/u, "$1: ").replace(/##(?=\[|vso\[|teamcity\[)/gu, "# #");
}

/**
 * GitHub's runner acts on no line between these two, whatever stream it comes from. They go to stderr, so that stdout
 * stays the result. The token is random: nothing that is printed can end the silence. Returns how to end it.
 */
export function silenceCommands(err: Sink, token: string): () => void {
  err.write(`::stop-commands::${token}\n`);
  return () => err.write(`::${token}::\n`);
}

/** A reader may stop reading (`| head`), which is not a failure. */
function sinkOf(stream: TextStream, onLost: (error: Error) => void): Sink {
  stream.on?.("error", (error) => {
    if (error.code !== "EPIPE") onLost(error);
  });
  return {
    isTerminal: stream.isTTY === true,
    columns: () => Math.min(stream.columns || usualColumns, widestColumns),
    write: (text) => {
      stream.write(text);
    },
  };
}
