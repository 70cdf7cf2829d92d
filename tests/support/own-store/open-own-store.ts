import type { ProjectStore } from "../../../src/index.ts";
import { reposIn } from "./repos.ts";
import { type Alone, runStoreIn } from "./run-store.ts";
import { emptyTables, snapshotOf } from "./tables.ts";

/**
 * A store of a third party: lists in memory, written against the ports alone. It shares no code with the stores of the
 * program, so what passes with it rests on what the test kit asks for.
 */
export function openOwnStore(): ProjectStore & { readonly recorded: readonly string[] } {
  const tables = emptyTables();
  let last: Promise<unknown> = Promise.resolve();
  const alone: Alone = (work) => {
    const mine = last.then(async () => {
      const before = snapshotOf(tables);
      try {
        return await work();
      } catch (error) {
        Object.assign(tables, before);
        throw error;
      }
    });
    last = mine.catch(() => undefined);
    return mine;
  };
  const repos = reposIn(tables);
  return {
    /** The models whose replies were kept. */
    get recorded() {
      return tables.calls.flatMap(({ facts }) => (facts === undefined ? [] : [facts.model]));
    },
    runs: runStoreIn(tables, alone),
    transaction: (work) => alone(() => work(repos)),
    read: (work) => alone(() => work(repos)),
    damage: async () => [],
    close: () => undefined,
  };
}
