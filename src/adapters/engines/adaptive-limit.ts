/**
 * How many calls of one provider may run at once: starts at the configured number, halves when the provider
 * says it is overloaded, and grows back by one after as many successes as the present limit.
 */
export class AdaptiveLimit {
  readonly #most: number;
  #limit: number;
  #running = 0;
  #successes = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = Math.max(1, most);
    this.#limit = this.#most;
  }

  get limit(): number {
    return this.#limit;
  }

  get running(): number {
    return this.#running;
  }

  /** Waits in line for a place; `leave` must be called exactly once after it resolves. */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#limit && this.#waiting.length === 0) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(admit);
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#admit();
  }

  succeeded(): void {
    this.#successes += 1;
    if (this.#limit < this.#most && this.#successes >= this.#limit) {
      this.#limit += 1;
      this.#successes = 0;
      this.#admit();
    }
  }

  overloaded(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#successes = 0;
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      next();
    }
  }
}
