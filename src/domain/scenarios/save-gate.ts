import { notByModel } from "../evidence/standing.ts";
import type { DerivedRun } from "./derive-run.ts";

/** The run that is to prove a pack. `unknown`: this project's store has no record of it. */
export type ProvingRun =
  | {
      readonly kind: "derived";
      readonly run: Pick<DerivedRun, "accepted" | "reasons" | "deciders">;
      /** It asked what the pack asks, with the same expectations and severities. */
      readonly isSamePack: boolean;
    }
  | { readonly kind: "unknown" };

/** Without a run there is no evidence; saving anyway needs a reason. */
export interface SaveRequest {
  readonly run?: ProvingRun;
  /** The analyst that the settings name, if it is a model. */
  readonly analystModel?: string;
  readonly allowUnvalidated: boolean;
  readonly unvalidatedReason?: string;
}

/** Saved as proven, saved with a mark that it is not, or refused with every reason. */
export type SaveDecision =
  | { readonly kind: "save"; readonly mark: "validated" }
  | {
      readonly kind: "save";
      readonly mark: "unvalidated";
      readonly reason: string;
      readonly failing: readonly string[];
    }
  | { readonly kind: "refuse"; readonly reasons: readonly string[] };

/** Saving never replays: it relies on what is derived from the recorded answers of a run, not on the run's files. */
export function decideSave(request: SaveRequest): SaveDecision {
  const reasons = reasonsAgainst(request);
  if (reasons.length === 0) return { kind: "save", mark: "validated" };
  if (!request.allowUnvalidated) return { kind: "refuse", reasons };
  const reason = request.unvalidatedReason?.trim() ?? "";
  return reason === ""
    ? { kind: "refuse", reasons: ["an unvalidated save needs a reason"] }
    : { kind: "save", mark: "unvalidated", reason, failing: reasons };
}

function reasonsAgainst({ run: proof, analystModel }: SaveRequest): readonly string[] {
  if (proof === undefined) return ["no validated run was given"];
  if (proof.kind === "unknown") {
    return ["this project has no record of the run, so its files prove nothing here"];
  }
  const { accepted, reasons, deciders } = proof.run;
  const other = analystModel === undefined ? undefined : notByModel(deciders);
  return [
    ...reasons,
    ...(accepted || reasons.length > 0 ? [] : ["the run was not accepted"]),
    ...(proof.isSamePack ? [] : ["the run is of another spec"]),
    ...(other === undefined ? [] : [`${other}; the settings name ${analystModel}`]),
  ];
}
