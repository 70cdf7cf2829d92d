import { relative } from "node:path";

import { defined } from "../../domain/values/defined.ts";
import { examineEpisode } from "../../orchestration/episodes/examine-episode.ts";
import { type DoctorFinding, examineRuns } from "../../orchestration/runs/examine-project.ts";
import { readEpisodeStatus, workspacesBelow } from "../../wiring/features/episode-reading.ts";
import { hasWorkspace, openWorkspace } from "../../wiring/features/episode-workspace.ts";
import { workspaceLock } from "../../wiring/features/episodes.ts";
import type { Project } from "../../wiring/project/project.ts";
import { readStore } from "../../wiring/project/project-store.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { typedHere } from "../episode/typed-here.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { withProject } from "../shell/with-project.ts";
import { doctorLines } from "./render-doctor.ts";

export interface DoctorFlags extends JsonFlags {
  readonly repair?: boolean;
}

export async function runDoctor(cli: CliContext, flags: DoctorFlags): Promise<void> {
  const root = rootOf(cli);
  const repair = flags.repair === true;
  const findings = [...(await examine(cli, root, repair)), ...(await episodes(cli, root, repair))];
  const isHealthy = findings.every(({ level }) => level === "ok");
  const isDamaged = findings.some(({ isStore }) => isStore === true);
  cli.end(isDamaged ? exitCode.outside : isHealthy ? exitCode.accepted : exitCode.notAccepted);
  const json = { findings: findings.map((finding) => ({ ...finding })) };
  printResult(cli, flags, json, doctorLines(findings));
}

/** Examines the episode workspace around the working directory, else every one of the project. */
async function episodes(
  cli: CliContext,
  root: string,
  repair: boolean,
): Promise<readonly DoctorFinding[]> {
  if (await hasWorkspace(cli.cwd)) return episode(cli, undefined, repair);
  const findings: DoctorFinding[] = [];
  for (const path of await workspacesBelow(root)) {
    const found = await episode(cli, path, repair);
    const place = relative(cli.cwd, path);
    findings.push(...found.map((one) => ({ ...one, text: `${place}: ${one.text}` })));
  }
  return findings;
}

/** Absent workspace: the one around the working directory. */
async function episode(
  cli: CliContext,
  path: string | undefined,
  repair: boolean,
): Promise<readonly DoctorFinding[]> {
  const workspace = await openWorkspace({ ...cli, ...defined({ workspace: path }) });
  const { folder, root } = workspace;
  const status = await readEpisodeStatus(workspace, { ...cli, root });
  const at = clockOf(cli.environment).now();
  const typed = await typedHere(cli, workspace);
  const how = { repair, at, typed };
  if (!repair) return examineEpisode(folder, status, { ...how, lock: (work) => work() });
  return withProject(cli, { root, flags: {}, runsNothing: true }, ({ project }) =>
    examineEpisode(folder, status, { ...how, lock: workspaceLock(project) }),
  );
}

async function examine(
  cli: CliContext,
  root: string,
  repair: boolean,
): Promise<readonly DoctorFinding[]> {
  const damage = await readStore({ root, environment: cli.environment }, async (store) =>
    store?.damage(),
  );
  if (damage === undefined) return [{ level: "ok", text: `Nothing has run in ${root} yet.` }];
  if (damage.length > 0) {
    return damage.map((text) => ({
      level: "error",
      isStore: true,
      text: `The store is damaged: ${text}.`,
      hint: "Restore a backup with `signoff store restore`, or keep what can still be read with `signoff store recover`.",
    }));
  }
  const opening = { root, flags: {}, runsNothing: true, catchesUp: repair } as const;
  return withProject(cli, opening, async ({ project }) => {
    const elsewhere = [...(await pendingFiles(project)), ...(await unclaimedRuns(project))];
    const source = runSourceOf(project.store, project.clock);
    const runs = await examineRuns(source, project.files, { repair });
    const { mendPackRuns } = await import("../packs/verify-pack-runs.ts");
    const packs = await mendPackRuns(cli, project, repair);
    const findings = [...runs.findings, ...packs.findings];
    const repaired = runs.repaired + packs.repaired;
    const rewritten = { level: "ok", text: `${repaired} files were rewritten.` } as const;
    const intact = { level: "ok", text: "The store is intact." } as const;
    const { examineStages } = await import("../stages/verify-stages.ts");
    const stages = await examineStages(cli, project);
    return [intact, ...elsewhere, ...findings, ...stages, ...(repaired === 0 ? [] : [rewritten])];
  });
}

/** Runs that workers have executed and whose files are not in this checkout yet. */
async function pendingFiles({ home }: Project): Promise<readonly DoctorFinding[]> {
  const pending = (await home?.files.pending()) ?? 0;
  if (pending === 0) return [];
  return [
    {
      level: "warning",
      text: `${renderCount(pending, "run")} of workers ${pending === 1 ? "has" : "have"} files that are not written here yet.`,
      hint: "`signoff doctor --repair` writes them, and so does every command that reads the project's files.",
    },
  ];
}

async function unclaimedRuns({ home }: Project): Promise<readonly DoctorFinding[]> {
  const { count, runs } = (await home?.unclaimed()) ?? { count: 0, runs: [] };
  if (count === 0) return [];
  const names = [...runs, ...(count > runs.length ? ["…"] : [])].join(", ");
  return [
    {
      level: "warning",
      text: `${renderCount(count, "queued run")} may be taken by no worker that is running: ${names}.`,
      hint: "Start one with `signoff worker`. A run of another version is moved to this one by `signoff runs resume RUN --accept-changes`; a pack needs a worker whose signoff.yaml describes the same assistant.",
    },
  ];
}
