import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^fast-check$/u,
        replacement: fileURLToPath(
          new URL("../../tests/support/seeded-fast-check.ts", import.meta.url),
        ),
      },
    ],
  },
  test: {
    setupFiles: [fileURLToPath(new URL("setup.ts", import.meta.url))],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: process.env.MUTATION_TESTS?.split(" ") ?? [],
    // They need a PostgreSQL server.
    exclude: ["**/*.cluster.test.ts"],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
