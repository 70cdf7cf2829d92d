import { tmpdir } from "node:os";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { memoryFolder } from "./tests/support/memory-folder.ts";

// Nothing of the person or the hook that starts the tests: their git settings, another repository, models, colours.
for (const name of Object.keys(env)) {
  if (name === "SIGNOFF_TEST_DATABASE_URL") continue;
  if (/^(?:GIT|SIGNOFF|OLLAMA|OPENAI|ANTHROPIC)_|^(?:NO_COLOR|FORCE_COLOR)$/u.test(name)) {
    Reflect.deleteProperty(env, name);
  }
}
Object.assign(env, {
  GIT_CONFIG_GLOBAL: fileURLToPath(new URL("tests/support/git-config", import.meta.url)),
  GIT_CONFIG_SYSTEM: "/dev/null",
  TMPDIR: memoryFolder() ?? tmpdir(),
});

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^fast-check$/u,
        replacement: fileURLToPath(new URL("tests/support/seeded-fast-check.ts", import.meta.url)),
      },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: ["{src,studio}/**/*.test.ts"],
          exclude: ["**/*.cluster.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "programs",
          include: ["tests/**/*.test.ts"],
          exclude: ["**/*.cluster.test.ts"],
          // More than cores: they often wait for processes, disks and pages. After the units, which do not.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Needs PostgreSQL: `npm run test:cluster` gets one. `npm test` leaves this project out.
        extends: true,
        test: {
          name: "cluster",
          include: ["{src,tests}/**/*.cluster.test.ts"],
          globalSetup: "tests/support/postgres-setup.ts",
          isolate: true,
        },
      },
    ],
    // Files share a worker and its modules; whatever a test replaces is put back after it.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    maxWorkers: 2,
    reporters: ["default", "json"],
    outputFile: { json: "dist/test-results.json" },
    // For what hangs, not for what is slow: a busy machine needs ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
