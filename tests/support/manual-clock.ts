import { instantFromMillis } from "../../src/domain/values/instant.ts";
import type { Clock } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when the test says so, for watchdogs over real processes. */
export class ManualClock implements Clock {
  #now = 0;
  #sleepers: readonly Sleeper[] = [];

  now() {
    return instantFromMillis(this.#now);
  }

  monotonic() {
    return this.#now;
  }

  sleep(millis: number, signal: AbortSignal): Promise<void> {
    return new Promise((wake, reject) => {
      signal.throwIfAborted();
      const sleeper = { at: this.#now + millis, wake };
      this.#sleepers = [...this.#sleepers, sleeper];
      signal.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** When the sleepers will wake, the earliest first. */
  pending(): readonly number[] {
    return this.#sleepers.map(({ at }) => at).sort((one, other) => one - other);
  }

  /** Wakes all sleepers whose time has come, the earliest first, and lets them act. */
  async advance(millis: number): Promise<void> {
    const until = this.#now + millis;
    for (;;) {
      const [next] = [...this.#sleepers].sort((one, other) => one.at - other.at);
      if (next === undefined || next.at > until) break;
      this.#now = next.at;
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      next.wake();
      await new Promise((turned) => setImmediate(turned));
    }
    this.#now = until;
  }
}
