import type { Pack, Scenario, SimulatedUser, Step } from "../../domain/scenarios/manifest.ts";
import type { Json, JsonObject } from "../../domain/values/json.ts";
import { snakeCaseKeys } from "../documents/stored-keys.ts";
import { stepShape } from "./scenario-shape.ts";

/** The normalized copy that is kept with a run; reading it gives the same scenario. */
export function writeScenario(scenario: Scenario): Json {
  return {
    schema_version: "domain_scenario_manifest_v1",
    scenario_id: scenario.scenarioId,
    domain: scenario.domain,
    title: scenario.title,
    description: scenario.description,
    bindings: scenario.bindings,
    analysis_context: scenario.analysisContext,
    steps: scenario.steps.map(writeStep),
    ...(scenario.user === undefined ? {} : { user: writeUser(scenario.user) }),
  };
}

function writeUser({ turn, ...user }: SimulatedUser): Json {
  const { persona, goal, maxTurns, goalAnswerPatternsAny } = user;
  const { step_id, title, question, depends_on, ...expected } = writeStep(turn) as JsonObject;
  return {
    ...{ persona, goal, max_turns: maxTurns },
    ...(goalAnswerPatternsAny.length > 0 && {
      goal_answer_patterns_any: [...goalAnswerPatternsAny],
    }),
    every_answer: expected,
  };
}

export function writePack(pack: Pack): Json {
  return {
    schema_version: "domain_scenario_pack_v1",
    pack_id: pack.packId,
    domain: pack.domain,
    title: pack.title,
    bindings: pack.bindings,
    scenarios: pack.scenarios.map(writeScenario),
  };
}

/** A normalized pack in parts that share its memory: the scenarios as they are written, each with all its bindings. */
interface WrittenPack {
  readonly packId: string;
  readonly title: string;
  readonly scenarios: readonly { readonly scenarioId: string; readonly written: Json }[];
}

/** For what only hands the scenarios on: reading thousands of steps and writing them again is three packs more. */
export function openWrittenPack(pack: Json): WrittenPack {
  const { pack_id, title, bindings, scenarios } = pack as unknown as PackOnDisk;
  return {
    packId: pack_id,
    title: title ?? pack_id,
    scenarios: scenarios.map((scenario) => ({
      scenarioId: scenario.scenario_id,
      written: { ...scenario, bindings: { ...bindings, ...scenario.bindings } },
    })),
  };
}

interface PackOnDisk {
  readonly pack_id: string;
  readonly title?: string;
  readonly bindings?: JsonObject;
  readonly scenarios: readonly (JsonObject & {
    readonly scenario_id: string;
    readonly bindings?: JsonObject;
  })[];
}

function writeStep({ expectations, ...step }: Step): Json {
  const written = {
    ...snakeCaseKeys(stepShape, { ...step, ...expectations } as never),
    expected_debug_fields: expectations.expectedDebugFields,
  };
  const filled = Object.entries(written).filter(
    ([name, value]) => name === "depends_on" || !isEmpty(value),
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(filled))) as Json;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
