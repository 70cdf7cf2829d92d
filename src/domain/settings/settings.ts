import type { HostedConfig, HostedProvider } from "../models/hosted-providers.ts";
import type { Price } from "../models/price.ts";
import type { ModelAliases } from "../models/same-model.ts";
import type { ChosenModel } from "./choose-models.ts";
import type {
  AssistantConfig,
  BudgetConfig,
  CommandConfig,
  CompatibleServer,
  ImportedRunsConfig,
  ModelRole,
  NotesConfig,
  ScenariosConfig,
  StagesConfig,
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
  /** Longest time without a token. */
  readonly idleSeconds: number;
  /** The first call of a local model may have to load it; the same as `idleSeconds` once that is set. */
  readonly firstIdleSeconds: number;
  /** Longest time for a whole reply; absent: each recipe's own. */
  readonly totalSeconds?: number;
  readonly ollama: { readonly baseUrl: string };
  /** The project's own; only when trusted, since they say where keys are sent. */
  readonly hosted: { readonly [Name in HostedProvider]?: HostedConfig };
  /** Only servers that may be used: without a key, or trusted. */
  readonly compatible: { readonly [name: string]: CompatibleServer };
  /** The project's own; only when trusted. */
  readonly commands: { readonly [name: string]: CommandConfig };
  readonly prices: readonly Price[];
  readonly limits: {
    readonly concurrency: { readonly [provider: string]: number };
    /** Absent for a provider without a limit of its own. */
    readonly requestsPerSecond?: { readonly [provider: string]: number };
    /** Of one call, the first included. */
    readonly attempts: number;
    /** For a provider that asks to wait. */
    readonly longestWaitSeconds: number;
    readonly budget: BudgetConfig;
  };
  /** `maxTurns` absent: the recipe's own. */
  readonly drafting: { readonly maxTurns?: number; readonly recipes: string };
  /** `maxIterations` absent: the recipe's own. */
  readonly episodes: { readonly language: string; readonly maxIterations?: number };
  readonly notes: Required<Omit<NotesConfig, "models">> & {
    readonly models: readonly ChosenModel[];
    /** Spelling → the model it stands for when reviews are filed. */
    readonly partitions: ModelAliases;
  };
  /** Markers, phrases and questions are absent where the built-in ones apply. */
  readonly scenarios: Required<Pick<ScenariosConfig, "outputDir" | "mask" | "locale" | "library">> &
    Pick<
      ScenariosConfig,
      "garbageMarkers" | "noisePhrases" | "questions" | "analysts" | "analystRule"
    > & {
      /** `headersEnv` only when trusted. */
      readonly assistant: AssistantConfig & { readonly baseUrl: string };
      readonly importedRuns: Required<ImportedRunsConfig>;
    };
  readonly stages: Required<Omit<StagesConfig, "coder">> & { readonly coder: ChosenModel };
  readonly studio: { readonly port: number };
  readonly trust: Trust;
}
