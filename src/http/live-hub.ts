import type { RunId } from "../domain/values/ids.ts";
import type { Happening, Observer } from "../ports/observer.ts";

export type Listener = (happening: Happening) => void;

/** Passes on the events of this process, and tracks which runs are active in it. */
export class LiveHub implements Observer {
  readonly #listeners = new Set<Listener>();
  readonly #active = new Set<RunId>();
  #whenIdle: (() => void)[] = [];

  notice(happening: Happening): void {
    if (happening.kind === "run-started") this.#active.add(happening.run);
    if (happening.kind === "run-ended") this.#active.delete(happening.run);
    for (const listener of this.#listeners) listener(happening);
    if (this.#active.size > 0) return;
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle = [];
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
