import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "studio/**/*.test.ts", "tests/**/*.test.ts"],
    maxWorkers: 2,
    reporters: ["default", ["json", { outputFile: "dist/test-results.json" }]],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
