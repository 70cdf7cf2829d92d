import type { Clock } from "../../ports/clock.ts";

const sliceMillis = 20;

/** Divides a long computation into slices, so that the process can do other work between them. */
export class TimeSlices {
  readonly #clock: Clock;
  #sliceBegan: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sliceBegan = clock.monotonic();
  }

  /** What to wait for before going on; nothing while the slice lasts. */
  pause(): Promise<void> | undefined {
    const isOver = this.#clock.monotonic() - this.#sliceBegan >= sliceMillis;
    return isOver ? this.#letOthersWork() : undefined;
  }

  async forEach<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
    for (const item of items) {
      visit(item);
      const pause = this.pause();
      if (pause !== undefined) await pause;
    }
  }

  async #letOthersWork(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceBegan = this.#clock.monotonic();
  }
}
