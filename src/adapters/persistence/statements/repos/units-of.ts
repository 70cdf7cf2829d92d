import type { Unit } from "../unit.ts";

/** A repository whose members are units of work. */
export type UnitsOf<Repo> = {
  readonly [name in keyof Repo]: Repo[name] extends (...args: infer Args) => Promise<infer T>
    ? (...args: Args) => Unit<T>
    : never;
};
