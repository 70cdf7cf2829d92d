import type { Price } from "../models/price.ts";
import type { ModelAliases } from "../models/same-model.ts";
import type { Locale } from "../scenarios/locale.ts";
import type { RepairMode } from "../scenarios/pack-loop.ts";
import type { QuestionThresholds } from "../scenarios/question-quality.ts";
import type { ChosenModel } from "./choose-models.ts";
import type {
  AssistantConfig,
  BudgetConfig,
  CommandConfig,
  CompatibleServer,
  MaskRule,
  ModelRole,
} from "./project-config.ts";
import type { Trust } from "./require-trusted.ts";

/** What one invocation works with: plain, frozen and not shared. It holds names of secrets, never the secrets. */
export interface Settings {
  readonly models: { readonly [Role in ModelRole]: ChosenModel };
  readonly aliases: ModelAliases;
  /** Both roles; absent: each recipe's own. */
  readonly temperature?: number;
  /** Visible text; absent: each recipe's own. */
  readonly maxTokens?: number;
  readonly callSeconds: number;
  /** The first call of a local model may have to load it; the same as `callSeconds` once that is set. */
  readonly firstCallSeconds: number;
  readonly ollama: { readonly baseUrl: string };
  /** Only servers that may be used: without a key, or trusted. */
  readonly compatible: { readonly [name: string]: CompatibleServer };
  /** The project's own; only when trusted. */
  readonly commands: { readonly [name: string]: CommandConfig };
  readonly prices: readonly Price[];
  readonly limits: {
    readonly concurrency: { readonly [provider: string]: number };
    /** Of one call, the first included. */
    readonly attempts: number;
    readonly budget: BudgetConfig;
  };
  /** `maxTurns` absent: the recipe's own. */
  readonly drafting: { readonly maxTurns?: number; readonly recipes: string };
  /** `maxIterations` absent: the recipe's own. */
  readonly episodes: { readonly language: string; readonly maxIterations?: number };
  readonly notes: {
    readonly roots: readonly string[];
    readonly exclude: readonly string[];
    readonly gates: string;
    readonly models: readonly ChosenModel[];
    readonly lock: string;
    readonly exports: string;
    readonly allowOffline: boolean;
    /** Spelling → the model it stands for when reviews are filed. */
    readonly partitions: ModelAliases;
  };
  readonly scenarios: {
    readonly outputDir: string;
    /** `headersEnv` only when trusted. */
    readonly assistant: AssistantConfig & { readonly baseUrl: string };
    readonly mask: readonly MaskRule[];
    readonly locale: Locale;
    /** Where saved packs go. */
    readonly library: string;
    /** Absent: the built-in ones. */
    readonly garbageMarkers?: readonly string[];
    /** Absent: those of the locale. */
    readonly noisePhrases?: readonly string[];
    /** What the project wants of its questions, where it is not the default. */
    readonly questions?: Partial<QuestionThresholds>;
    readonly importedRuns: { readonly report: string; readonly sessions: string };
  };
  readonly stages: {
    readonly repairMode: RepairMode;
    readonly targetScore: number;
    readonly coder: ChosenModel;
    readonly fileHints: { readonly [problemType: string]: readonly string[] };
  };
  readonly studio: { readonly port: number };
  readonly trust: Trust;
}
