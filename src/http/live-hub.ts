import type { RunId } from "../domain/values/ids.ts";
import type { Happening, Observer } from "../ports/observer.ts";

export type Listener = (happening: Happening) => void;

/** What a model has said so far in a call that has not ended. */
export interface OpenText {
  readonly key: string;
  readonly role: string;
  readonly text: string;
}

/** A longer text is sent as it arrives, but its beginning is not repeated to those who come later. */
const mostCharacters = 1_000_000;

/** Passes on the events of this process, and tracks which runs are active in it. */
export class LiveHub implements Observer {
  readonly #listeners = new Set<Listener>();
  readonly #active = new Set<RunId>();
  readonly #texts = new Map<RunId, Map<string, OpenText>>();
  #whenIdle: (() => void)[] = [];

  notice(happening: Happening): void {
    if (happening.kind === "run-started") this.#active.add(happening.run);
    if (happening.kind === "run-ended") this.#active.delete(happening.run);
    this.#keepText(happening);
    for (const listener of this.#listeners) listener(happening);
    if (this.#active.size > 0) return;
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle = [];
  }

  openTexts(run: RunId): readonly OpenText[] {
    return [...(this.#texts.get(run)?.values() ?? [])];
  }

  #keepText(happening: Happening): void {
    if (happening.kind === "event") return;
    if (happening.kind === "run-ended") return void this.#texts.delete(happening.run);
    if (happening.kind === "run-started") return;
    const { run, key, role } = happening;
    const texts = this.#texts.get(run) ?? new Map<string, OpenText>();
    this.#texts.set(run, texts);
    if (happening.kind === "call-started") return void texts.set(key, { key, role, text: "" });
    if (happening.kind !== "text") return void texts.delete(key);
    const text = (texts.get(key)?.text ?? "") + happening.part;
    if (text.length <= mostCharacters) texts.set(key, { key, role, text });
  }

  /** Returns a function that stops listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get activeRuns(): number {
    return this.#active.size;
  }

  /** Resolves as soon as no run is active in this process. */
  idle(): Promise<void> {
    if (this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }
}
