import { forLog, type Sink } from "./screen.ts";

/**
 * A few lines at the bottom of a terminal that are redrawn while finished lines scroll away above. Kept short, because
 * lines that have left the window cannot be erased. Draws nothing if the sink is not a terminal.
 */
export class LiveArea {
  readonly #sink: Sink;
  #drawn: readonly string[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Every line must be narrower than the terminal, or it cannot be erased completely. */
  draw(lines: readonly string[]): void {
    if (!this.#sink.isTerminal || same(lines, this.#drawn)) return;
    this.#sink.write(this.#erased() + lines.map((line) => `${line}\n`).join(""));
    this.#drawn = lines;
  }

  /** Prints permanently, above the area. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const kept = this.#drawn;
    const printed = [...forLog(this.#sink, lines), ...kept];
    this.#sink.write(this.#erased() + printed.map((line) => `${line}\n`).join(""));
  }

  clear(): void {
    if (this.#drawn.length === 0) return;
    this.#sink.write(this.#erased());
    this.#drawn = [];
  }

  /** Up to the first drawn line, then everything below is erased. */
  #erased(): string {
    return this.#drawn.length === 0 ? "" : `\x1B[${this.#drawn.length}A\x1B[J`;
  }
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, at) => line === right[at]);
}
