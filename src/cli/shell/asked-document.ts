import { defined } from "../../domain/values/defined.ts";
import type { Sink } from "./screen.ts";

/**
 * `--json` guarantees one JSON document on the standard output. If a command fails before it has printed one, the error
 * is the document.
 */
export class AskedDocument {
  readonly sink: Sink;
  readonly isAsked: boolean;
  #isWritten = false;

  constructor(args: readonly string[], out: Sink) {
    const end = args.indexOf("--");
    this.isAsked = args.slice(0, end < 0 ? args.length : end).includes("--json");
    this.sink = {
      isTerminal: out.isTerminal,
      ...defined({ isWatched: out.isWatched }),
      columns: () => out.columns(),
      write: (text) => {
        this.#isWritten = true;
        out.write(text);
      },
    };
  }

  async answerWith(error: unknown): Promise<void> {
    if (!this.isAsked || this.#isWritten) return;
    const { errorDocument } = await import("./error-document.ts");
    const document = errorDocument(error);
    if (document === undefined) return;
    const { writeJson } = await import("./write-json.ts");
    writeJson(this.sink, document);
  }
}
