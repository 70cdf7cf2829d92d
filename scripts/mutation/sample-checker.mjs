// A plugin of Stryker that takes a seeded sample of the mutants; the others count as not compiled, so not at all.
import { createHash } from "node:crypto";

const digestOf = (mutant, seed) => {
  const { start, end } = mutant.location;
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return createHash("sha256")
    .update(`${seed}|${mutant.fileName}|${place}|${mutant.mutatorName}|${mutant.replacement}`)
    .digest("hex");
};

class SampleChecker {
  static inject = ["options"];

  constructor({ sample }) {
    this.sample = sample;
  }

  async init() {}

  /** All mutants in one group, so that `check` can count. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const { count, seed } = this.sample;
    const ordered = mutants
      .map((mutant) => ({ id: mutant.id, digest: digestOf(mutant, seed) }))
      .sort((one, other) => (one.digest < other.digest ? -1 : 1));
    const chosen = new Set(ordered.slice(0, count || ordered.length).map(({ id }) => id));
    const left = { status: "compileError", reason: "not in the sample" };
    return Object.fromEntries(
      mutants.map(({ id }) => [id, chosen.has(id) ? { status: "passed" } : left]),
    );
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: SampleChecker }];
