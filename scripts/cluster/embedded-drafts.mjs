// node scripts/cluster/embedded-drafts.mjs MODELS RUNS: prints the milliseconds of processor time that one call of a
// draft costs on one machine (SQLite, embedded engine), without the start of the process.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDraft } from "../../src/orchestration/drafting/start-draft.ts";
import { frozenDraft } from "../../src/wiring/features/prepare-draft.ts";
import { loadRecipe } from "../../src/wiring/features/recipes.ts";
import { openProject } from "../../src/wiring/project/project.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";

const [, , models = "", count = "100"] = process.argv;
const root = mkdtempSync(join(tmpdir(), "signoff-embedded-"));
const environment = readEnvironment({
  PATH: process.env.PATH,
  HOME: root,
  OLLAMA_BASE_URL: models,
  SIGNOFF_USER: "Ada",
});
const loaded = await loadProjectSettings({ root, environment, flags: {} });
const project = await openProject({ root, environment, loaded });
const recipe = await loadRecipe("slogan", root);
const model = "ollama/shop:latest";
const reviewers = [
  { label: "brand", model },
  { label: "law", model },
];
await drafts(20);
const before = process.cpuUsage();
await drafts(Number(count));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000 / (Number(count) * 3));
await project.close();
rmSync(root, { recursive: true, force: true });

async function drafts(total) {
  let at = 0;
  const next = async () => {
    while (at < total) {
      at += 1;
      const input = frozenDraft({
        brief: `lamp ${randomUUID()}`,
        recipe,
        writer: model,
        reviewers,
      });
      const { run } = await startDraft(project, { input, newId: randomUUID, fresh: true });
      const ending = await project.engine.ending(run, new AbortController().signal);
      if (ending.kind !== "finished") throw new Error(JSON.stringify(ending));
    }
  };
  await Promise.all(Array.from({ length: 8 }, next));
}
