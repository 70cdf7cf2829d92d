/** One stream a person or a log reads. Lines given to it were laid out, so they are safe. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Asked anew for each print: terminals are resized. */
  columns(): number;
  write(text: string): void;
}

/** Where commands print. What is asked for goes to `out`, everything said about it to `err`. */
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

/** `onLost`: what was asked for could not be printed. Remarks that get lost take nothing from the work. */
export function openScreen(
  streams: { readonly stdout: TextStream; readonly stderr: TextStream },
  onLost: (error: Error) => void,
): Screen {
  return { out: sinkOf(streams.stdout, onLost), err: sinkOf(streams.stderr, () => undefined) };
}

export function printLines(sink: Sink, lines: readonly string[]): void {
  if (lines.length > 0) sink.write(`${lines.join("\n")}\n`);
}

/** Whoever reads may stop reading (`| head`): that is no failure of the work. */
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
