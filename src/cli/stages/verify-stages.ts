import { basename } from "node:path";
import type { Standing } from "../../domain/evidence/standing.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { stageStanding } from "../../domain/stages/stage-standing.ts";
import { defined } from "../../domain/values/defined.ts";
import type { DoctorFinding } from "../../orchestration/runs/examine-project.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import { stageCatalogOf } from "../../wiring/features/stage-reading.ts";
import type { Project } from "../../wiring/project/project.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";

/** Every stage of the project, derived again; one that cannot be read is refused. */
export async function verifyStages(
  cli: CliContext,
  project: Project,
  isWanted: (name: string) => boolean,
): Promise<readonly Standing[]> {
  const { stages, damaged } = await listed(cli, project, isWanted);
  const read = stages.map(({ summary, state }) => {
    const { manifest = "", assistantUrl } = summary;
    const gate = decideClosingGate(state.history, state.terms);
    const { userModel } = state;
    const paths = { manifest, ...defined({ assistantUrl, userModel }) };
    return stageStanding(summary.stageId, gate, paths);
  });
  const unread = damaged.map(
    ({ folder, problem }): Standing => ({
      ...{ kind: "stage", name: basename(folder), accepted: false, why: "it cannot be read" },
      missing: [{ text: problem, command: "signoff doctor" }],
    }),
  );
  return [...read, ...unread];
}

/** Closings whose evidence is gone, and files that do not say what was recorded. */
export async function examineStages(
  cli: CliContext,
  project: Project,
): Promise<readonly DoctorFinding[]> {
  const { stages, damaged } = await listed(cli, project);
  const unreadable = damaged.map(({ folder, problem }) => ({
    level: "error" as const,
    text: `${folder}: ${problem}`,
  }));
  const wrong = stages.flatMap(({ summary }): DoctorFinding[] => {
    const { stageId, stageClosingGate: gate, changedEvidence: files } = summary;
    const isLost = gate.status === "closed_evidence_lost";
    const changed = files.length === 0 ? "" : `; changed: ${files.join(", ")}`;
    if (!isLost && files.length === 0) return [];
    const text = isLost ? "is closed, but its evidence is lost" : "has files that were changed";
    const [hint] = gate.missing.map(({ command }) => command);
    return [{ level: "error", text: `Stage ${stageId} ${text}${changed}.`, ...defined({ hint }) }];
  });
  return [...unreadable, ...wrong];
}

async function listed(
  cli: CliContext,
  { root, store }: Project,
  isWanted?: (name: string) => boolean,
) {
  const { settings } = await settingsFor(cli, { root, quiet: true });
  return listStages(stageCatalogOf({ root, settings, store }), isWanted);
}
