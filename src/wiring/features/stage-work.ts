import { defined } from "../../domain/values/defined.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import { membersOf } from "../../orchestration/scenarios/ask-analyst.ts";
import { hasUser } from "../../orchestration/scenarios/run-pack.ts";
import type { CoderTemplate } from "../../orchestration/stages/run-repair.ts";
import type { StageRunRequest } from "../../orchestration/stages/run-stage.ts";
import type { Stage } from "../../orchestration/stages/stage.ts";
import type { Budget } from "../../ports/flow.ts";
import { clockOf } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";
import { assistantSettingsOf } from "../settings/scenario-settings.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { analystsOf } from "./analysts.ts";
import { loadPairs, recordedTime, reviewRulesOf } from "./imported-runs.ts";
import { analystOf } from "./open-stage.ts";
import { requireQuestionModels } from "./question-models.ts";
import { type CoderChoice, coderOf, requireTrustedCoder } from "./stages.ts";

/** The project, the settings that apply and who calls: the command line or the studio. */
export interface StageDoor {
  readonly root: string;
  readonly loaded: LoadedSettings;
  readonly environment: Environment;
}

interface CoderUse extends CoderChoice {
  /** It is going to be started, so it must be trusted. */
  readonly willRun: boolean;
  /** Trusted for this command only. */
  readonly byFlag: boolean;
  /** Digests of coders that the user has trusted before. */
  readonly trusted: readonly string[];
}

/** The coder that was named; it must be trusted before it is started. */
export function coderFor(door: StageDoor, stage: Stage, use: CoderUse): CoderTemplate {
  const { settings, guard } = door.loaded;
  const { given, seconds, willRun, byFlag, trusted } = use;
  const coder = coderOf(stage, settings, defined({ given, seconds }));
  if (willRun) {
    const { environment } = door;
    const isOwnChoice = given !== undefined;
    requireTrustedCoder(coder, { stage, settings, isOwnChoice, byFlag, environment, trusted });
    const act = { kind: "program", argv: coder.argv, folder: door.root } as const;
    if (isOwnChoice || !byFlag) guard.remember(act);
    else guard.agree(act);
  }
  return given === undefined ? coder : { ...coder, given };
}

interface RunGiven extends Partial<Pick<StageRunRequest, "repairMode" | "maxIterations">> {
  readonly assistantUrl?: string;
  readonly budget?: Budget;
  readonly coder: () => CoderTemplate;
}

/** What `stage run` asks for, by the manifest and the settings where nothing else is given. */
export function stageRunRequest(door: StageDoor, stage: Stage, given: RunGiven) {
  const { manifest } = stage;
  const { settings, guard } = door.loaded;
  const { root, environment } = door;
  const { baseUrl, name: assistantName } = settings.scenarios.assistant;
  const assistantUrl = given.assistantUrl ?? stage.assistantUrl ?? baseUrl;
  const access = { root, settings, environment, guard: guard.allow, clock: clockOf(environment) };
  const { session } = assistantSettingsOf(access, assistantUrl);
  const repairMode = given.repairMode ?? manifest.repairMode;
  return {
    assistantUrl,
    sessions: session.kind,
    ...defined({ assistantName }),
    ...analystsOf(settings, analystOf(stage, settings)),
    repairMode,
    maxIterations: given.maxIterations ?? manifest.maxIterations,
    ...(repairMode === "auto-coder" ? { coder: given.coder() } : {}),
    ...defined({ budget: budgetOf(given.budget, settings) }),
  };
}

/** Fails before the first question if an analyst, or the model that plays the users, cannot be asked. */
export async function requireStageModels(
  door: StageDoor,
  { pack }: Stage,
  request: Parameters<typeof membersOf>[0] & { readonly budget?: Budget },
): Promise<void> {
  const { budget } = request;
  const analysts = membersOf(request).map(({ model }) => model);
  const user = hasUser(pack) ? [door.loaded.settings.models.user.model] : [];
  await requireQuestionModels(door, { models: [...analysts, ...user], ...defined({ budget }) });
}

/** The conversation of a run held elsewhere, with what its review needs, and when it was held by its own record. */
export async function loadImported(
  { root, loaded: { settings } }: StageDoor,
  { manifest, pack }: Stage,
  run: { readonly id: string; readonly transcript?: string },
) {
  const pairs = await loadPairs(root, settings, run);
  const rules = { ...reviewRulesOf(settings, pack), fileHints: manifest.fileHints };
  return { pairs, rules, ...defined({ heldAt: recordedTime(pairs) }) };
}
