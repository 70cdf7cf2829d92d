import { setImmediate as nextRound } from "node:timers/promises";

interface Waiting {
  readonly who: number;
  readonly isRest: boolean;
  go(): void;
}

/** Rounds of the event loop in which whoever was let through comes to its next stop. */
const settling = 3;
/** So often may sleepers look around in vain before nothing is thought to move any more. */
const idleLooks = 60;

/**
 * Lets one waiting step through at a time, in an order that follows from the seed alone: many processes in one, each
 * interleaving repeatable. Whoever is stopped passes no more, as if killed at that step.
 */
export class Turnstile {
  readonly #stopped = new Set<number>();
  readonly #chance: () => number;
  #waiting: Waiting[] = [];

  constructor(seed: number) {
    this.#chance = chanceFrom(seed);
  }

  pass(who: number, isRest = false): Promise<void> {
    return new Promise((go) => this.#waiting.push({ who, isRest, go }));
  }

  stop(who: number): void {
    this.#stopped.add(who);
  }

  /** A number from 0 to `below`, of the same seed. */
  pick(below: number): number {
    return Math.floor(this.#chance() * below);
  }

  /** Returns when nobody moves any more, but for sleepers who wake up in vain. */
  async turn(): Promise<void> {
    for (let looks = 0; looks < idleLooks; ) {
      for (let round = 0; round < settling; round += 1) await nextRound();
      this.#waiting = this.#waiting.filter(({ who }) => !this.#stopped.has(who));
      const next = this.#waiting.splice(this.pick(this.#waiting.length), 1)[0];
      if (next === undefined) return;
      looks = this.#waiting.every(({ isRest }) => isRest) && next.isRest ? looks + 1 : 0;
      next.go();
    }
  }
}

/** Mulberry32: small, and good enough to choose who comes next. */
function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
