import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const plan: {
  readonly code: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly folder: string;
} = JSON.parse(readFileSync(env.MUTATION_PLAN ?? "", "utf8"));
const digest = createHash("sha256").update(JSON.stringify(plan.code)).digest("hex").slice(0, 12);

for (const name of Object.keys(env)) {
  if (/^(?:GIT|SIGNOFF|OLLAMA|OPENAI|ANTHROPIC)_|^(?:NO_COLOR|FORCE_COLOR)$/u.test(name)) {
    Reflect.deleteProperty(env, name);
  }
}
Object.assign(env, {
  GIT_CONFIG_GLOBAL: here("../../tests/support/git-config"),
  GIT_CONFIG_SYSTEM: "/dev/null",
});

class AsPlanned extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => plan.files.indexOf(moduleId);
    return Promise.resolve([...files].sort((one, other) => place(one) - place(other)));
  }
}

export default defineConfig({
  plugins: [{ name: "mutants", enforce: "pre", load: (id) => plan.code[id.split("?")[0] ?? ""] }],
  resolve: {
    alias: [
      { find: /^fast-check$/u, replacement: here("../../tests/support/seeded-fast-check.ts") },
    ],
  },
  test: {
    // A cache of its own for these mutants: vitest would not notice that a plugin changed the code.
    fsModuleCache: true,
    fsModuleCachePath: join(plan.folder, `cache-${digest}`),
    runner: here("mutant-runner.ts"),
    sequence: { sequencer: AsPlanned },
    // One worker holds all the mutants and everything known about them.
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 3000,
    hookTimeout: 3000,
    include: [...plan.files],
    reporters: [["default", { summary: false }]],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
