import type { Standing } from "../../domain/evidence/standing.ts";
import type { Examined } from "../../orchestration/runs/examine-project.ts";
import { examinePackFolders } from "../../orchestration/scenarios/mend-packs.ts";
import { verifyPacks } from "../../orchestration/scenarios/verify-packs.ts";
import { runExaminerOf } from "../../wiring/features/examine-runs.ts";
import { packLibraryOf } from "../../wiring/features/pack-library.ts";
import type { Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { defaultSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";

export async function verifyPackRuns(
  cli: CliContext,
  project: Project,
  isWanted: (folder: string) => boolean,
): Promise<readonly Standing[]> {
  const { library, examine } = await packRunsOf(cli, project);
  return verifyPacks(library, examine, isWanted);
}

/** For the doctor, which also works beside unreadable settings: files that are not what the store recorded. */
export async function mendPackRuns(
  cli: CliContext,
  project: Project,
  repair: boolean,
): Promise<Examined> {
  const { library, examine } = await packRunsOf(cli, project).catch(() => packRunsIn(project));
  return examinePackFolders(library, examine, { repair, folders: library.folders });
}

async function packRunsOf(cli: CliContext, project: Project) {
  const { settings } = await settingsFor(cli, { root: project.root, quiet: true });
  return packRunsIn(project, settings);
}

function packRunsIn({ root, store, clock }: Project, settings = defaultSettings()) {
  const library = packLibraryOf(root, runSourceOf(store, clock), settings);
  return { library, examine: runExaminerOf(root, store.runs, settings) };
}
