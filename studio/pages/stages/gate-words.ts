import type { ClosingStatus } from "../../../src/domain/stages/closing-gate.ts";

type Tone = "good" | "bad" | "wait" | "plain";

/** How far a stage is from its closing, nearest last. */
export const gateWords: {
  readonly [status in ClosingStatus]: { readonly tone: Tone; readonly text: string };
} = {
  not_accepted: { tone: "bad", text: "Not accepted yet" },
  blocked_pending_repair_validation: { tone: "wait", text: "A repair is unproven" },
  ready_for_manual_confirmation: { tone: "good", text: "Ready to confirm" },
  closed: { tone: "plain", text: "Closed" },
  closed_evidence_lost: { tone: "bad", text: "Closed, evidence lost" },
};
