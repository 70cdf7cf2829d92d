import { examineRuns, type Finding } from "../../orchestration/runs/examine-project.ts";
import { openProject, openProjectForReading } from "../../wiring/project.ts";
import { findProjectRoot } from "../../wiring/project-root.ts";
import { runSourceOf } from "../../wiring/run-source.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCode } from "../exit-code.ts";
import { renderDoctor } from "../render/doctor.ts";
import { printJson } from "../terminal/print-json.ts";
import { printLines } from "../terminal/screen.ts";

export interface DoctorFlags {
  readonly json?: boolean;
  readonly repair?: boolean;
}

export async function runDoctor(cli: CliContext, flags: DoctorFlags): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home).path;
  const findings = await examine(cli, root, flags.repair === true);
  const isIll = findings.some(({ level }) => level !== "ok");
  cli.end(isIll ? exitCode.notAccepted : exitCode.accepted);
  if (flags.json === true) {
    printJson(cli.screen.out, { findings: findings.map((finding) => ({ ...finding })) });
    return;
  }
  printLines(cli.screen.out, renderDoctor(findings, cli.layoutOf(cli.screen.out)));
}

async function examine(
  cli: CliContext,
  root: string,
  repair: boolean,
): Promise<readonly Finding[]> {
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
  const project = openProject({ root, environment: cli.environment });
  try {
    const source = runSourceOf(project.store, project.clock);
    const { findings, repaired } = await examineRuns(source, project.files, { repair });
    const sound: Finding = { level: "ok", text: "The store is sound." };
    const mended: readonly Finding[] =
      repaired === 0 ? [] : [{ level: "ok", text: `${repaired} files were written again.` }];
    return [sound, ...findings, ...mended];
  } finally {
    project.close();
  }
}
