import type { Usage } from "../../../ports/runner.ts";

/** What an agent's output says, once its envelope is taken off. */
export type AgentOutput =
  | {
      readonly kind: "reply";
      readonly text: string;
      /** All that the agent said, where `text` is only the last of it. */
      readonly whole?: string;
      readonly model?: string;
      readonly usage?: Usage;
    }
  | { readonly kind: "error"; readonly message: string }
  /** Not in the agent's format, or it ends too early. */
  | { readonly kind: "unreadable" };

export type OutputFormat = "text" | "claude-json" | "codex-json";
