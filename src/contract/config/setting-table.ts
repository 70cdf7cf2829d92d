import { z } from "zod";
import { mostTokens } from "../../domain/drafting/recipe.ts";
import { defaultAssistantUrl } from "../../domain/settings/trust-parts.ts";
import {
  assistantAddress,
  httpUrl,
  language,
  locale,
  maskRule,
  mustNameOne,
  nonEmptyText,
  numberBetween,
  pathInProject,
  repairMode,
  wholeNumberBetween,
  yesOrNo,
} from "./setting-values.ts";

/** Flags as the command line hands them over, not yet checked. A budget has its own reader. */
export interface SettingFlags {
  /** Every role's model. */
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly analyst?: string;
  readonly userModel?: string;
  readonly baseUrl?: string;
  readonly maxTurns?: string | number;
  readonly temperature?: string | number;
  readonly maxTokens?: string | number;
  readonly timeout?: string | number;
  readonly totalTimeout?: string | number;
  readonly retries?: string | number;
  readonly maxIterations?: string | number;
  readonly language?: string;
  readonly port?: string | number;
  /** The assistant under test. */
  readonly assistantUrl?: string;
}

export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Built for a value that was given: most settings are not. */
  readonly schema: () => S;
  readonly default?: z.output<S>;
  readonly flag?: keyof SettingFlags;
  /** Strongest first. */
  readonly variables: readonly string[];
  readonly note?: string;
  /** It cannot be set in `signoff.yaml`. */
  readonly notInFile?: true;
}

/**
 * Every setting with a single value, by its path in `signoff.yaml`. Models have rules of their own
 * (`resolve-models.ts`); a setting that has no `OLLAMA_…` variable has `SIGNOFF_` and its path.
 */
export const settingTable = {
  "providers.ollama.base_url": {
    schema: () => httpUrl,
    default: "http://localhost:11434",
    flag: "baseUrl",
    variables: ["OLLAMA_BASE_URL"],
  },
  temperature: {
    schema: () => numberBetween(0, 2),
    flag: "temperature",
    variables: ["OLLAMA_TEMPERATURE"],
    notInFile: true,
    note: "each recipe's own; slogan: writer 0.7, reviewer 0.3",
  },
  max_tokens: {
    schema: () => wholeNumberBetween(1, mostTokens),
    flag: "maxTokens",
    variables: ["OLLAMA_MAX_TOKENS"],
    notInFile: true,
    note: "each recipe's own; slogan: writer 100, reviewer 1000",
  },
  "drafting.max_turns": {
    schema: () => wholeNumberBetween(1, 10),
    default: 5,
    flag: "maxTurns",
    variables: ["OLLAMA_MAX_TURNS"],
    note: "unless the recipe says otherwise",
  },
  "drafting.recipes": inFile(() => pathInProject, "signoff/recipes", "SIGNOFF_DRAFTING_RECIPES"),
  "limits.retries": {
    ...inFile(() => wholeNumberBetween(1, 20), 3, "SIGNOFF_LIMITS_RETRIES"),
    flag: "retries",
    note: "attempts of one call, the first included",
  },
  "limits.longest_wait_seconds": {
    ...inFile(() => wholeNumberBetween(1, 86_400), 600, "SIGNOFF_LIMITS_LONGEST_WAIT_SECONDS"),
    note: "for a provider that asks to wait; beyond it the run ends and can be resumed",
  },
  "limits.timeout": {
    schema: () => numberBetween(1, 600),
    default: 30,
    flag: "timeout",
    variables: ["OLLAMA_REQUEST_TIMEOUT", "OLLAMA_TIMEOUT"],
    note: "seconds without a token; 180 for the first call of a local model",
  },
  "limits.total_timeout": {
    schema: () => numberBetween(1, 3_600),
    flag: "totalTimeout",
    variables: ["SIGNOFF_LIMITS_TOTAL_TIMEOUT"],
    note: "seconds for a whole reply; each recipe's own, 600 unless it says otherwise",
  },
  "limits.budget.usd": {
    schema: () => numberBetween(0, 1_000_000),
    variables: ["SIGNOFF_LIMITS_BUDGET_USD"],
    note: "no limit",
  },
  "limits.budget.tokens": {
    schema: () => wholeNumberBetween(1, Number.MAX_SAFE_INTEGER),
    variables: ["SIGNOFF_LIMITS_BUDGET_TOKENS"],
    note: "no limit",
  },
  "limits.budget.seconds": {
    schema: () => wholeNumberBetween(1, 31_536_000),
    variables: ["SIGNOFF_LIMITS_BUDGET_SECONDS"],
    note: "no limit",
  },
  "limits.concurrency.default": inFile(
    () => wholeNumberBetween(1, 1_000),
    4,
    "SIGNOFF_LIMITS_CONCURRENCY_DEFAULT",
  ),
  "limits.concurrency.ollama": inFile(
    () => wholeNumberBetween(1, 1_000),
    1,
    "SIGNOFF_LIMITS_CONCURRENCY_OLLAMA",
  ),
  "episodes.language": {
    ...inFile(() => language, "auto", "SIGNOFF_EPISODES_LANGUAGE"),
    flag: "language",
  },
  "episodes.max_iterations": {
    schema: () => wholeNumberBetween(1, 100),
    flag: "maxIterations",
    variables: ["SIGNOFF_EPISODES_MAX_ITERATIONS"],
    note: "each recipe's own; 3 in those that come with Signoff",
  },
  "notes.roots": inFile(() => z.array(pathInProject).min(1, { error: mustNameOne }), ["notes"]),
  "notes.exclude": inFile(() => z.array(nonEmptyText), []),
  "notes.gates": inFile(() => pathInProject, "signoff/gates", "SIGNOFF_NOTES_GATES"),
  "notes.models": inFile(() => z.array(nonEmptyText).min(1, { error: mustNameOne }), ["judge"]),
  "notes.lock": inFile(() => pathInProject, "signoff.lock", "SIGNOFF_NOTES_LOCK"),
  "notes.exports": inFile(() => pathInProject, "signoff/reviews", "SIGNOFF_NOTES_EXPORTS"),
  "notes.findings": {
    ...inFile(() => yesOrNo, false, "SIGNOFF_NOTES_FINDINGS"),
    note: "whether findings are written beside the lock, for checkouts without a store",
  },
  "notes.allow_offline": inFile(() => yesOrNo, false, "SIGNOFF_NOTES_ALLOW_OFFLINE"),
  "scenarios.output_dir": inFile(
    () => pathInProject,
    "artifacts/domain_runs",
    "SIGNOFF_SCENARIOS_OUTPUT_DIR",
  ),
  "scenarios.library": inFile(
    () => pathInProject,
    "artifacts/pack_library",
    "SIGNOFF_SCENARIOS_LIBRARY",
  ),
  "scenarios.assistant.base_url": {
    ...inFile(() => assistantAddress, defaultAssistantUrl, "SIGNOFF_SCENARIOS_ASSISTANT_BASE_URL"),
    flag: "assistantUrl",
  },
  "scenarios.mask": inFile(() => z.array(maskRule), []),
  "scenarios.locale": inFile(() => locale, "en", "SIGNOFF_SCENARIOS_LOCALE"),
  "stages.repair_mode": inFile(() => repairMode, "lead-handoff", "SIGNOFF_STAGES_REPAIR_MODE"),
  "stages.target_score": inFile(
    () => wholeNumberBetween(0, 100),
    88,
    "SIGNOFF_STAGES_TARGET_SCORE",
  ),
  "stages.coder": inFile(() => nonEmptyText, "command/codex", "SIGNOFF_STAGES_CODER"),
  "studio.port": {
    ...inFile(() => wholeNumberBetween(0, 65_535), 4_400, "SIGNOFF_STUDIO_PORT"),
    flag: "port",
  },
} as const satisfies { readonly [name: string]: Setting };

export type SettingName = keyof typeof settingTable;
export type SettingValue<Name extends SettingName> = z.output<
  ReturnType<(typeof settingTable)[Name]["schema"]>
>;

function inFile<S extends z.ZodType>(
  schema: () => S,
  standard: z.output<S>,
  ...variables: string[]
) {
  return { schema, default: standard, variables };
}
