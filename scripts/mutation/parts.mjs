/** What is mutated. All unit tests have to notice; those of the first folder come first, because they notice most. */
const notMutated = ["src/**/*.test.ts", "src/**/testing/**"];
const all = "src/**/*.test.ts";

export const parts = {
  domain: {
    mutate: ["src/domain/**/*.ts"],
    except: notMutated,
    tests: ["src/domain/**/*.test.ts", all],
  },
  protocol: {
    mutate: ["src/protocol/**/*.ts"],
    except: notMutated,
    tests: ["src/protocol/**/*.test.ts", all],
  },
  journal: {
    mutate: ["src/adapters/persistence/{sqlite,statements}/**/*.ts"],
    // Released migrations never change.
    except: [...notMutated, "src/adapters/persistence/statements/migrations/**"],
    tests: ["src/adapters/persistence/**/*.test.ts", all],
  },
  engine: {
    mutate: ["src/adapters/engines/**/*.ts"],
    // The tests of the queue need a PostgreSQL server and do not run here.
    except: [...notMutated, "src/adapters/engines/queue/**"],
    tests: ["src/adapters/engines/**/*.test.ts", all],
  },
};
