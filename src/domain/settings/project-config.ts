import type { PanelRule } from "../drafting/panel.ts";
import type { HostedConfig, HostedProvider } from "../models/hosted-providers.ts";
import type { Price } from "../models/price.ts";
import type { ModelAliases } from "../models/same-model.ts";
import type {
  BODY_FORMATS,
  METHODS,
  PresetName,
  REPLY_FORMATS,
} from "../scenarios/assistant-formats.ts";
import type { Locale } from "../scenarios/locale.ts";
import type { RepairMode } from "../scenarios/pack-loop.ts";
import type { QuestionThresholds } from "../scenarios/question-quality.ts";
import type { AssistantAnswer, SessionKind } from "../scenarios/turn.ts";

export type ModelRole = "writer" | "reviewer" | "judge" | "analyst" | "user";

/** An OpenAI-compatible server. */
export interface CompatibleServer {
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; the key itself is never in a file. */
  readonly apiKeyEnv?: string;
  /** It silently drops the beginning of a long prompt, so its approvals need the truncation guard. */
  readonly cutsSilently?: boolean;
  /** It can hold a model to a JSON Schema. */
  readonly structuredOutput?: boolean;
  readonly headers?: { readonly [header: string]: string };
  readonly query?: { readonly [name: string]: string };
}

/** A program that answers a prompt on its standard input. Never run through a shell. */
export interface CommandConfig {
  readonly argv: readonly string[];
  /** How its output is read; plain text unless stated. `acp`: it is asked over the Agent Client Protocol. */
  readonly reads?: "text" | "claude-json" | "codex-json" | "gemini-json" | "acp";
  readonly seconds?: number;
}

export interface PriceConfig extends Price {
  readonly source: string;
}

export interface BudgetConfig {
  readonly usd?: number;
  readonly tokens?: number;
  readonly seconds?: number;
}

type AnswerPart = keyof Omit<AssistantAnswer, "raw"> | "delta" | "error";
type SessionPart = "sessionId" | "items" | "role" | "text" | "replyType" | "debug" | "at";

/** How to talk to the assistant under test; expressions are JMESPath, and what is absent is the adapter's default. */
export interface AssistantConfig {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly versionHeader?: string;
  readonly preset?: PresetName;
  readonly model?: string;
  readonly stream?: boolean;
  readonly message?: {
    readonly method?: (typeof METHODS)[number];
    readonly path?: string;
    readonly format?: (typeof BODY_FORMATS)[number];
    readonly body?: unknown;
    readonly turn?: unknown;
    readonly assistantRole?: string;
    readonly reads?: (typeof REPLY_FORMATS)[number];
    readonly until?: string;
    readonly answer?: { readonly [part in AnswerPart]?: string };
  };
  readonly session?: {
    readonly kind?: SessionKind;
    readonly create?: {
      readonly path: string;
      readonly body?: unknown;
      readonly sessionId?: string;
    };
    readonly available?: boolean;
    readonly path?: string;
    readonly answer?: { readonly [part in SessionPart]?: string };
  };
  readonly headers?: { readonly [header: string]: string };
  /** Header → name of the environment variable whose value is sent. */
  readonly headersEnv?: { readonly [header: string]: string };
  readonly timeoutSeconds?: number;
  readonly maxBytes?: number;
  readonly retries?: number;
  /** Questions in flight at once. */
  readonly concurrency?: number;
}

export interface MaskRule {
  readonly pattern: string;
  readonly replace: string;
}

/** Where runs made elsewhere keep their files; `{id}` stands for the run. */
export interface ImportedRunsConfig {
  readonly report?: string;
  readonly sessions?: string;
}

export interface NotesConfig {
  readonly roots?: readonly string[];
  readonly exclude?: readonly string[];
  readonly gates?: string;
  readonly models?: readonly string[];
  readonly lock?: string;
  readonly exports?: string;
  readonly findings?: boolean;
  readonly allowOffline?: boolean;
  readonly panels?: { readonly [name: string]: NotesPanelConfig };
}

/** Who judges notes together; default: by majority. */
export interface NotesPanelConfig {
  readonly rule?: "all" | "majority" | "any";
  readonly models: readonly (string | NamedMember)[];
}

/** A judge with a name: its own model, else the first of `notes.models`, and what its prompt adds. */
export interface NamedMember {
  readonly name: string;
  readonly model?: string;
  readonly role?: string;
  readonly criteria?: string;
}

export interface ScenariosConfig {
  readonly outputDir?: string;
  readonly assistant?: AssistantConfig;
  readonly mask?: readonly MaskRule[];
  readonly locale?: Locale;
  /** Where saved packs go. */
  readonly library?: string;
  readonly garbageMarkers?: readonly string[];
  readonly noisePhrases?: readonly string[];
  readonly questions?: Partial<QuestionThresholds>;
  readonly importedRuns?: ImportedRunsConfig;
  readonly analysts?: {
    readonly [name: string]: { readonly model?: string; readonly criteria?: string };
  };
  readonly analystRule?: PanelRule;
}

export interface StagesConfig {
  readonly repairMode?: RepairMode;
  readonly targetScore?: number;
  readonly coder?: string;
  readonly fileHints?: { readonly [problemType: string]: readonly string[] };
}

/** What a project's `signoff.yaml` says, and nothing it leaves out: defaults are not in here. */
export interface ProjectConfig {
  readonly version: 1;
  /** Names the project in a database that several share. */
  readonly project?: string;
  readonly models?: { readonly [Role in ModelRole]?: string } & {
    readonly aliases?: ModelAliases;
    /** Spellings of one model in reviews of notes. */
    readonly partitions?: ModelAliases;
  };
  readonly providers?: {
    readonly ollama?: { readonly baseUrl?: string };
    readonly compatible?: { readonly [name: string]: CompatibleServer };
  } & { readonly [Name in HostedProvider]?: HostedConfig };
  readonly commands?: { readonly [name: string]: CommandConfig };
  readonly prices?: readonly PriceConfig[];
  readonly limits?: {
    /** Calls at once, per provider; `default` for the others. */
    readonly concurrency?: { readonly [provider: string]: number };
    readonly requestsPerSecond?: { readonly [provider: string]: number };
    /** Attempts of one call, the first one included. */
    readonly retries?: number;
    /** Seconds without a token. */
    readonly timeout?: number;
    /** Seconds for a whole reply. */
    readonly totalTimeout?: number;
    readonly longestWaitSeconds?: number;
    readonly budget?: BudgetConfig;
  };
  readonly drafting?: { readonly maxTurns?: number; readonly recipes?: string };
  readonly episodes?: { readonly language?: string; readonly maxIterations?: number };
  readonly notes?: NotesConfig;
  readonly scenarios?: ScenariosConfig;
  readonly stages?: StagesConfig;
  readonly studio?: { readonly port?: number };
}
