import type { Standing } from "../../domain/evidence/standing.ts";
import { verifyPacks } from "../../orchestration/scenarios/verify-packs.ts";
import { runExaminerOf } from "../../wiring/features/examine-runs.ts";
import { packLibraryOf } from "../../wiring/features/pack-library.ts";
import type { Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";

export async function verifyPackRuns(
  cli: CliContext,
  { root, store, clock }: Project,
): Promise<readonly Standing[]> {
  const { settings } = await settingsFor(cli, { root, quiet: true });
  const library = packLibraryOf(root, runSourceOf(store, clock), settings);
  return verifyPacks(library, runExaminerOf(root, store.runs, settings));
}
