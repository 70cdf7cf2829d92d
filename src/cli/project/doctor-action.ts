import { examineEpisode } from "../../orchestration/episodes/examine-episode.ts";
import { type DoctorFinding, examineRuns } from "../../orchestration/runs/examine-project.ts";
import { hasWorkspace, openWorkspace } from "../../wiring/features/episode-workspace.ts";
import { workspaceLock } from "../../wiring/features/episodes.ts";
import { findProjectRoot } from "../../wiring/project/project-root.ts";
import { openProjectForReading } from "../../wiring/project/project-store.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { printJson } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import { withProject } from "../shell/with-project.ts";
import { renderDoctor } from "./render-doctor.ts";

export interface DoctorFlags {
  readonly json?: boolean;
  readonly repair?: boolean;
}

export async function runDoctor(cli: CliContext, flags: DoctorFlags): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home);
  const repair = flags.repair === true;
  const findings = [...(await examine(cli, root, repair)), ...(await episode(cli, repair))];
  const isIll = findings.some(({ level }) => level !== "ok");
  cli.end(isIll ? exitCode.notAccepted : exitCode.accepted);
  if (flags.json === true) {
    printJson(cli, { findings: findings.map((finding) => ({ ...finding })) });
    return;
  }
  printLines(cli.screen.out, renderDoctor(findings, cli.layoutOf(cli.screen.out)));
}

/** Of the workspace that the command is typed in, if it is one. */
async function episode(cli: CliContext, repair: boolean): Promise<readonly DoctorFinding[]> {
  if (!(await hasWorkspace(cli.cwd))) return [];
  const { folder, root } = await openWorkspace(cli);
  const at = clockOf(cli.environment).now();
  if (!repair) return examineEpisode(folder, { repair, at, lock: (work) => work() });
  return withProject(cli, { root, flags: {}, runsNothing: true }, ({ project }) =>
    examineEpisode(folder, { repair, at, lock: workspaceLock(project) }),
  );
}

async function examine(
  cli: CliContext,
  root: string,
  repair: boolean,
): Promise<readonly DoctorFinding[]> {
  const reading = openProjectForReading(root);
  if (reading === undefined) return [{ level: "ok", text: `Nothing has run in ${root} yet.` }];
  const damage = reading.damage();
  reading.close();
  if (damage.length > 0) {
    return damage.map((text) => ({
      level: "error",
      text: `The store is damaged: ${text}.`,
      hint: "Restore .signoff/signoff.db from a backup.",
    }));
  }
  return withProject(cli, { root, flags: {}, runsNothing: true }, async ({ project }) => {
    const source = runSourceOf(project.store, project.clock);
    const { findings, repaired } = await examineRuns(source, project.files, { repair });
    const sound: DoctorFinding = { level: "ok", text: "The store is sound." };
    const mended: readonly DoctorFinding[] =
      repaired === 0 ? [] : [{ level: "ok", text: `${repaired} files were written again.` }];
    return [sound, ...findings, ...mended];
  });
}
