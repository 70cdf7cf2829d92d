import { type ArtifactValueOf, artifactFiles } from "../documents/artifact-file.ts";
import {
  businessReviewShape,
  conversationPairsShape,
  handOffShape,
  loopStateShape,
  packStateShape,
  questionQualityShape,
  questionReviewShape,
  repairTargetsShape,
  runManifestShape,
  runReviewShape,
  scenarioStateShape,
  stepStateShape,
  truthReviewShape,
  turnShape,
} from "./artifact-shapes.ts";

/** The JSON artifacts of scenarios, packs and their loops, by file name. */
export const ARTIFACTS = {
  "turn.json": { version: "domain_scenario_turn_v1", shape: turnShape },
  "step_state.json": { version: "domain_scenario_step_state_v1", shape: stepStateShape },
  "scenario_state.json": { version: "domain_scenario_state_v1", shape: scenarioStateShape },
  "pack_state.json": { version: "domain_scenario_pack_state_v1", shape: packStateShape },
  "run_manifest.json": { version: "domain_run_manifest_v1", shape: runManifestShape },
  "loop_state.json": { version: "domain_autonomous_loop_v1", shape: loopStateShape },
  "truth_review.json": { version: "domain_truth_harness_review_v1", shape: truthReviewShape },
  "business_review.json": { version: "domain_business_review_v1", shape: businessReviewShape },
  "question_generation_review.json": {
    version: "question_generation_review_v1",
    shape: questionReviewShape,
  },
  "run_review.json": { version: "run_review_v1", shape: runReviewShape },
  "conversation_pairs.json": { version: "conversation_pairs_v1", shape: conversationPairsShape },
  "question_quality_review.json": {
    version: "question_quality_review_v1",
    shape: questionQualityShape,
  },
  "repair_targets.json": { version: "repair_targets_v1", shape: repairTargetsShape },
  "lead_coder_handoff.json": { version: "lead_coder_handoff_v1", shape: handOffShape },
} as const;

export type ArtifactName = keyof typeof ARTIFACTS;
export type ArtifactValue<N extends ArtifactName> = ArtifactValueOf<(typeof ARTIFACTS)[N]>;

export const { write: writeArtifact, read: readArtifact } = artifactFiles(ARTIFACTS);
