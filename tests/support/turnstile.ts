import { setImmediate as nextRound } from "node:timers/promises";

interface Waiting {
  readonly who: number;
  readonly isRest: boolean;
  go(): void;
}

/** Rounds of the event loop that a released step needs to reach its next stop. */
const settling = 3;
const mostUnderWay = 2;
/** How often sleepers may wake without effect before everything counts as idle. */
const idleLooks = 60;

/**
 * Releases one waiting step at a time, in an order determined by the seed alone: many simulated processes, with every
 * interleaving repeatable. A stopped process is never released again, as if killed at that step.
 */
export class Turnstile {
  readonly #stopped = new Set<number>();
  readonly #chance: () => number;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(seed: number) {
    this.#chance = chanceFrom(seed);
  }

  pass(who: number, isRest = false): Promise<void> {
    return new Promise((go) => this.#waiting.push({ who, isRest, go }));
  }

  /** Work that takes a time of its own, as a database elsewhere does: at most two such pieces overlap. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
    }
  }

  stop(who: number): void {
    this.#stopped.add(who);
  }

  /** A number from 0 to `below`, of the same seed. */
  pick(below: number): number {
    return Math.floor(this.#chance() * below);
  }

  /** Returns when everything is idle, except for sleepers that wake without effect. */
  async turn(): Promise<void> {
    for (let looks = 0; looks < idleLooks; ) {
      await this.#settle();
      const next = this.#waiting.splice(this.pick(this.#waiting.length), 1)[0];
      if (next === undefined) return;
      const isIdle = this.#underWay === 0 && this.#waiting.every(({ isRest }) => isRest);
      looks = isIdle && next.isRest ? looks + 1 : 0;
      next.go();
    }
  }

  /** Waits until another step may begin, or nothing is left. */
  async #settle(): Promise<void> {
    for (let round = 0; round < settling; round += 1) await nextRound();
    const mayBegin = (): boolean => {
      this.#waiting = this.#waiting.filter(({ who }) => !this.#stopped.has(who));
      return this.#underWay < (this.#waiting.length === 0 ? 1 : mostUnderWay);
    };
    while (!mayBegin()) await nextRound();
  }
}

/** Mulberry32: small, and good enough to choose the next step. */
function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
