import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type DemoAssistant,
  type DemoDefect,
  startDemoAssistant,
} from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { startPackRun } from "../../src/orchestration/scenarios/run-pack.ts";
import { prepareRepair } from "../../src/orchestration/stages/prepare-repair.ts";
import { executeRepair } from "../../src/orchestration/stages/run-repair.ts";
import { recordLoop, startStageRun } from "../../src/orchestration/stages/run-stage.ts";
import { loadPackManifest } from "../../src/wiring/features/manifests.ts";
import { openStage } from "../../src/wiring/features/open-stage.ts";
import { packPartsOf } from "../../src/wiring/features/pack-parts.ts";
import { coderOf, stagePartsOf } from "../../src/wiring/features/stages.ts";
import { openProject, type Project } from "../../src/wiring/project/project.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { assistantSetup } from "../../src/wiring/settings/scenario-settings.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const packFile = "examples/scenario-pack/pack.yaml";
const defectFile = "examples/stage/assistant-defects.txt";

/** The shop's folder with its pack and its stage, and its assistant over real HTTP. */
export interface ShopProject {
  readonly root: string;
  /** Runs the pack into its usual folder, or another one; the previous run is moved aside. */
  playPack(how?: {
    readonly folder?: string;
    readonly assistantUrl?: string;
    readonly pack?: string;
  }): Promise<string>;
  setDefects(...defects: readonly DemoDefect[]): void;
  /** One iteration of the stage's loop, recorded. */
  playStage(): Promise<void>;
  /** The coder of the example repairs what the hand-off names. */
  repairStage(): Promise<void>;
  close(): Promise<void>;
}

/** In the caller's folder, or in one that `close` removes; with the example's pack, or another one in its place. */
export async function openShopProject(folder?: string, pack?: string): Promise<ShopProject> {
  const root = folder ?? mkdtempSync(join(tmpdir(), "signoff-shop-"));
  cpSync(examples, join(root, "examples"), { recursive: true });
  if (pack !== undefined) writeFileSync(join(root, packFile), pack);
  const shop: DemoAssistant = await startDemoAssistant({ defectFile: join(root, defectFile) });
  const environment = readEnvironment({});
  const loaded = await loadProjectSettings({ root, environment, flags: {} });
  const { settings } = loaded;
  const { library, outputDir } = settings.scenarios;
  const inProject = async <T>(work: (project: Project) => Promise<T>): Promise<T> => {
    const project = await openProject({ root, environment, loaded });
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  };
  const stage = () =>
    openStage(root, settings, {
      path: join(root, "examples/stage/stage.yaml"),
      assistantUrl: shop.url,
    });
  const toEnd = (project: Project, run: Parameters<Project["engine"]["ending"]>[0]) =>
    project.engine.ending(run, new AbortController().signal);
  return {
    root,
    setDefects: (...defects) => writeFileSync(join(root, defectFile), defects.join("\n")),
    playPack: ({ folder, assistantUrl = shop.url, pack: file = packFile } = {}) =>
      inProject(async (project) => {
        const pack = loadPackManifest(root, join(root, file));
        const { run } = await startPackRun(packPartsOf(project, settings), {
          pack,
          folder: folder ?? `${outputDir}/${pack.packId}`,
          assistantUrl,
          repeat: 1,
          skipQuestionReview: true,
        });
        await toEnd(project, run);
        return run;
      }),
    playStage: () =>
      inProject(async (project) => {
        const parts = stagePartsOf(project, environment);
        const { manifest } = stage();
        const begun = await startStageRun(parts, packPartsOf(project, settings), {
          stage: stage(),
          library,
          request: {
            assistantUrl: shop.url,
            assistantSetup: assistantSetup(settings),
            analystModel: "offline/rules",
            standIn: true,
            repairMode: manifest.repairMode,
            maxIterations: manifest.maxIterations,
            skipQuestionReview: true,
            fresh: false,
          },
        });
        if (begun.kind === "started") await toEnd(project, begun.started.run);
        await recordLoop(parts, { stage: stage(), library });
      }),
    repairStage: () =>
      inProject(async (project) => {
        const parts = stagePartsOf(project, environment);
        await prepareRepair(parts, stage());
        const signal = new AbortController().signal;
        const coder = coderOf(stage(), settings, {});
        loaded.guard.agree({ kind: "program", argv: coder.argv, folder: root });
        await executeRepair(parts, stage(), { coder, signal });
      }),
    async close() {
      await shop.close();
      if (folder === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}
