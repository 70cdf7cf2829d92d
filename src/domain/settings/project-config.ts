import type { ModelAliases } from "../models/same-model.ts";

export type ModelRole = "writer" | "reviewer" | "judge" | "analyst";
export type RepairMode = "lead-handoff" | "auto-coder";

/** An OpenAI-compatible server. */
export interface CompatibleServer {
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; the key itself is never in a file. */
  readonly apiKeyEnv?: string;
  /** It drops the head of a long prompt without a word, so its approvals need the truncation guard. */
  readonly cutsSilently?: boolean;
}

/** A program that answers a prompt on its standard input. Never run through a shell. */
export interface CommandConfig {
  readonly argv: readonly string[];
  /** How its output is read; plain text unless stated. */
  readonly reads?: "text" | "claude-json" | "codex-json";
  readonly seconds?: number;
}

export interface PriceConfig {
  readonly model: string;
  readonly from: string;
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly source: string;
}

export interface BudgetConfig {
  readonly usd?: number;
  readonly tokens?: number;
  readonly seconds?: number;
}

export interface AssistantConfig {
  readonly baseUrl?: string;
  /** The user's own templates and paths; what they may hold is the assistant adapter's matter. */
  readonly message?: { readonly [name: string]: unknown };
  readonly session?: { readonly [name: string]: unknown };
  /** Header → name of the environment variable whose value is sent. */
  readonly headersEnv?: { readonly [header: string]: string };
}

/** What a project's `signoff.yaml` says, and nothing it leaves out: defaults are not in here. */
export interface ProjectConfig {
  readonly version: 1;
  readonly models?: { readonly [Role in ModelRole]?: string } & {
    readonly aliases?: ModelAliases;
  };
  readonly providers?: {
    readonly ollama?: { readonly baseUrl?: string };
    readonly compatible?: { readonly [name: string]: CompatibleServer };
  };
  readonly commands?: { readonly [name: string]: CommandConfig };
  readonly prices?: readonly PriceConfig[];
  readonly limits?: {
    /** Calls at once, per provider; `default` for the others. */
    readonly concurrency?: { readonly [provider: string]: number };
    /** Attempts of one call, the first one included. */
    readonly retries?: number;
    readonly budget?: BudgetConfig;
  };
  readonly drafting?: { readonly maxTurns?: number; readonly recipes?: string };
  readonly episodes?: { readonly language?: string; readonly maxIterations?: number };
  readonly notes?: {
    readonly roots?: readonly string[];
    readonly exclude?: readonly string[];
    readonly gates?: string;
    readonly models?: readonly string[];
    readonly lock?: string;
    readonly allowOffline?: boolean;
  };
  readonly scenarios?: {
    readonly outputDir?: string;
    readonly assistant?: AssistantConfig;
    readonly mask?: readonly string[];
    readonly locale?: string;
  };
  readonly stages?: {
    readonly repairMode?: RepairMode;
    readonly targetScore?: number;
    readonly coder?: string;
    readonly fileHints?: { readonly [problemType: string]: readonly string[] };
  };
  readonly studio?: { readonly port?: number };
}
