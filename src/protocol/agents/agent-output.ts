import type { KnownUsage } from "../../domain/models/usage.ts";

/** An agent's output without its envelope. */
export type AgentOutput =
  | {
      readonly kind: "reply";
      readonly text: string;
      /** All messages of the agent, if `text` is only the last one. */
      readonly whole?: string;
      readonly model?: string;
      readonly usage?: KnownUsage;
      /** The agent stopped at its limit. */
      readonly isCut?: true;
    }
  | { readonly kind: "error"; readonly message: string }
  /** Not in the agent's format, or it ends too early. */
  | { readonly kind: "unreadable" };
