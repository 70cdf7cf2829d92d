import { z } from "zod";
import { panelRules } from "../../domain/drafting/panel.ts";
import { repairModes } from "../../domain/scenarios/pack-loop.ts";
import type { Json } from "../../domain/values/json.ts";
import { fromStored } from "../documents/codec.ts";
import { optionalStrictObject } from "../documents/shapes.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";
import {
  checkListsShape,
  json,
  loopIterationShape,
  packStateShape,
  scenarioRecordShape,
  selectionShape,
} from "./artifact-shapes.ts";

const target = {
  /** Where the run's files go, relative to the project. */
  folder: z.string(),
  assistantUrl: z.string(),
  assistantName: z.string().exactOptional(),
  /** A person's word that this run is meant to be of another assistant than the one before it. */
  assistantChanged: optionalStrictObject({ from: z.string(), reason: z.string() }),
};

const packTarget = {
  ...target,
  /** Plays the users of open dialogues. */
  userModel: z.string().exactOptional(),
  /** What they asked in an earlier run and ask again, by scenario. */
  said: z.record(z.string(), z.array(z.string())).exactOptional(),
  pack: json,
  specHash: z.string(),
  /** How often each scenario is played. */
  repeat: z.int().min(1),
  fileHints: z.record(z.string(), z.array(z.string())),
  selection: selectionShape,
};

/** What the jobs of scenario, pack, loop and case runs are given, and what they return. */
const RUN_INPUTS = {
  scenario: z.strictObject({
    ...target,
    scenario: json,
    userModel: z.string().exactOptional(),
    said: z.array(z.string()).exactOptional(),
    /** Set for a scenario that is not part of a pack run. */
    own: optionalStrictObject({ kind: z.enum(["scenario", "case"]), specHash: z.string() }),
    label: z.enum(["baseline", "rerun"]).exactOptional(),
  }),
  pack: z.strictObject({ ...packTarget, awaitsAnalyst: z.boolean() }),
  "pack-loop": z.strictObject({
    ...packTarget,
    analystModel: z.string(),
    standIn: z.boolean(),
    /** Several analysts in place of the one, and how many of them must accept. */
    analysts: optionalStrictObject({
      rule: z.enum(panelRules),
      members: z.array(
        z.strictObject({
          name: z.string(),
          model: z.string(),
          criteria: z.string().exactOptional(),
        }),
      ),
    }),
    targetScore: z.int().min(0).max(100),
    maxIterations: z.int().min(1),
    repairMode: z.enum(repairModes),
    coder: z.array(z.string()).exactOptional(),
    coderTimeoutMs: z.int().exactOptional(),
    coderReads: z.enum(["text", "claude-json", "codex-json", "gemini-json"]).exactOptional(),
    validationCommand: z.string(),
    checkLists: checkListsShape,
    /** What the stage is held against, in the words of its manifest. */
    contract: z.string().exactOptional(),
    previous: z.array(loopIterationShape),
    /** What people decided before the loop began, with their comments. */
    decisions: z.array(z.string()).exactOptional(),
  }),
} as const;

export type RunInputKind = keyof typeof RUN_INPUTS;
export type RunInput<K extends RunInputKind> = Frozen<z.output<(typeof RUN_INPUTS)[K]>>;

export function writeRunInput<K extends RunInputKind>(kind: K, input: RunInput<K>): Json {
  return toWire(RUN_INPUTS[kind], input as never, { absent: "omit" });
}

export function readRunInput<K extends RunInputKind>(kind: K, input: Json): RunInput<K> {
  return fromStored(RUN_INPUTS[kind], input) as RunInput<K>;
}

/** The result of a pack run: what its loop continues with. */
export const packResultShape = z.strictObject({
  scenarios: z.array(scenarioRecordShape),
  state: packStateShape,
});
