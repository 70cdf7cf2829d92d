import { defined } from "../../domain/values/defined.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import type { CoderTemplate } from "../../orchestration/stages/run-repair.ts";
import type { StageRunRequest } from "../../orchestration/stages/run-stage.ts";
import type { Stage } from "../../orchestration/stages/stage.ts";
import type { Budget } from "../../ports/flow.ts";
import type { ProjectAccess } from "../models/runners.ts";
import { clockOf } from "../project/system-clock.ts";
import { assistantSettingsOf, assistantSetup } from "../settings/scenario-settings.ts";
import { analystsOf } from "./analysts.ts";
import { loadPairs, recordedTime, reviewRulesOf } from "./imported-runs.ts";
import { analystOf } from "./open-stage.ts";
import { assistantAccessOf } from "./question-models.ts";
import { type CoderChoice, coderOf, requireTrustedCoder } from "./stages.ts";

interface CoderUse extends CoderChoice {
  /** It is going to be started, so it must be trusted. */
  readonly willRun: boolean;
  /** Trusted for this command only. */
  readonly byFlag: boolean;
  /** Digests of coders that the user has trusted before. */
  readonly trusted: readonly string[];
}

/** The coder that was named; it must be trusted before it is started. */
export function coderFor(door: ProjectAccess, stage: Stage, use: CoderUse): CoderTemplate {
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
  /** A model in place of the stage's own analyst. */
  readonly analyst?: string | undefined;
  readonly assistantUrl?: string;
  readonly budget?: Budget;
  readonly coder: () => CoderTemplate;
}

/** What `stage run` asks for, by the manifest and the settings where nothing else is given. */
export function stageRunRequest(door: ProjectAccess, stage: Stage, given: RunGiven) {
  const { manifest } = stage;
  const { settings } = door.loaded;
  const { baseUrl, name: assistantName } = settings.scenarios.assistant;
  const assistantUrl = given.assistantUrl ?? stage.assistantUrl ?? baseUrl;
  const { session } = assistantSettingsOf(assistantAccessOf(door), assistantUrl);
  const repairMode = given.repairMode ?? manifest.repairMode;
  return {
    assistantUrl,
    assistantSetup: assistantSetup(settings),
    sessions: session.kind,
    ...defined({ assistantName }),
    ...analystsOf(settings, given.analyst ?? analystOf(stage, settings)),
    repairMode,
    maxIterations: given.maxIterations ?? manifest.maxIterations,
    ...(repairMode === "auto-coder" ? { coder: given.coder() } : {}),
    ...defined({ budget: budgetOf(given.budget, settings) }),
  };
}

/** The conversation of a run held elsewhere, with what its review needs, and when it was held by its own record. */
export async function loadImported(
  { root, environment, loaded: { settings } }: ProjectAccess,
  { manifest, pack }: Stage,
  run: { readonly id: string; readonly transcript?: string },
) {
  const pairs = await loadPairs(root, settings, run);
  const rules = { ...reviewRulesOf(settings, pack), fileHints: manifest.fileHints };
  const heldAt = recordedTime(pairs, clockOf(environment).now());
  return { pairs, rules, ...defined({ heldAt }) };
}
