import type { z } from "zod";
import {
  type DebugExpectation,
  type Expectations,
  NO_EXPECTATIONS,
  normalizeFilters,
  type Pack,
  packOfOne,
  readCriticality,
  type Scenario,
  type SimulatedUser,
  type Step,
} from "../../domain/scenarios/manifest.ts";
import {
  findManifestProblems,
  type ManifestProblem,
} from "../../domain/scenarios/manifest-problems.ts";
import { defined } from "../../domain/values/defined.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import {
  type FileProblem,
  mapParsed,
  type Parsed,
  problems,
  thenParsed,
} from "../documents/file-problem.ts";
import {
  checkShape,
  type DocumentSource,
  type PathParts,
  problemAt,
  type ReadDocument,
  readYaml,
} from "../documents/read-document.ts";
import { camelCaseKeys } from "../documents/stored-keys.ts";
import { checkPatterns, type PatternCheck } from "./manifest-patterns.ts";
import {
  CATALOG_FIELDS,
  caseShape,
  packShape,
  scenarioShape,
  stepShape,
} from "./scenario-shape.ts";

export interface ManifestReading {
  readonly checkPattern: PatternCheck;
  /** Text of a scenario that a pack names by path, relative to the pack; undefined when there is none. */
  readonly readScenario: (path: string) => DocumentSource | undefined;
}

type StepFile = z.output<typeof stepShape>;
/** A step as written, with the names used in here. */
type NamedStep = Pick<Step, "stepId" | "question"> & Partial<Step & Expectations>;

/** A pack, or a single scenario or truth-harness spec as a pack of one. */
export function parsePack(source: DocumentSource, reading: ManifestReading): Parsed<Pack> {
  return thenParsed(readYaml(source), (document) => {
    const { steps, user } = document.value as { readonly steps?: unknown; readonly user?: unknown };
    const isScenario = steps !== undefined || user !== undefined;
    const parsed = isScenario
      ? mapParsed(scenarioFrom(document, reading.checkPattern), packOfOne)
      : packFrom(document, reading);
    return thenParsed(parsed, (pack) => withoutDuplicates(pack, document));
  });
}

export function parseScenario(
  source: DocumentSource,
  checkPattern: PatternCheck,
): Parsed<Scenario> {
  return thenParsed(readYaml(source), (document) =>
    thenParsed(scenarioFrom(document, checkPattern), (scenario) =>
      mapParsed(withoutDuplicates(packOfOne(scenario), document), () => scenario),
    ),
  );
}

/** A case is a scenario of one step, called `case`. */
export function parseCase(source: DocumentSource, checkPattern: PatternCheck): Parsed<Scenario> {
  return thenParsed(readYaml(source), (document) =>
    thenParsed(checkShape(document, caseShape), (file) =>
      orProblems(checkPatterns(document, checkPattern), caseOf(file)),
    ),
  );
}

/** A scenario from the normalized copy of a run; its patterns were checked before the run began. */
export function readStoredScenario(json: Json): Scenario {
  return scenarioOf(scenarioShape.parse(json));
}

function packFrom(document: ReadDocument, reading: ManifestReading): Parsed<Pack> {
  const shaped = checkShape(document, packShape);
  if (shaped.kind === "problems") return shaped;
  const file = shaped.value;
  const found: FileProblem[] = [...checkPatterns(document, reading.checkPattern)];
  const scenarios = file.scenarios.flatMap((entry, index) => {
    if (typeof entry !== "string" && "scenario_id" in entry) return [scenarioOf(entry)];
    const path = typeof entry === "string" ? entry : entry.path;
    const source = reading.readScenario(path);
    const parsed: Parsed<Scenario> =
      source === undefined
        ? problems([problemAt(document, ["scenarios", index], `no file ${path}`)])
        : parseScenario(source, reading.checkPattern);
    if (parsed.kind === "problems") {
      found.push(...parsed.problems);
      return [];
    }
    return [parsed.value];
  });
  const { pack_id: packId, domain, title = packId, bindings = {} } = file;
  return orProblems(found, { packId, domain, title, bindings, scenarios });
}

function scenarioFrom(document: ReadDocument, checkPattern: PatternCheck): Parsed<Scenario> {
  return thenParsed(checkShape(document, scenarioShape), (file) =>
    orProblems(checkPatterns(document, checkPattern), scenarioOf(file)),
  );
}

/** Ids name folders, so two equal ones are refused at once; the other problems are the pre-flight's to rate. */
function withoutDuplicates(pack: Pack, document: ReadDocument): Parsed<Pack> {
  const found = findManifestProblems(pack)
    .filter(({ code }) => code === "duplicate_id" || code === "reserved_id")
    .map((problem) => problemAt(document, pathOf(problem, pack, document), problem.message));
  return orProblems(found, pack);
}

function orProblems<T>(found: readonly FileProblem[], value: T): Parsed<T> {
  return found.length > 0 ? problems(found) : { kind: "parsed", value };
}

/** The later of two equal ids is the one to change. */
function pathOf(
  { scenarioId, stepId }: ManifestProblem,
  pack: Pack,
  { value }: ReadDocument,
): PathParts {
  const at = pack.scenarios.findLastIndex((one) => one.scenarioId === scenarioId);
  const scenario = isObject(value) && !("scenarios" in value) ? [] : ["scenarios", at];
  const step = pack.scenarios[at]?.steps.findLastIndex((one) => one.stepId === stepId) ?? -1;
  return step < 0 ? scenario : [...scenario, "steps", step, "step_id"];
}

function scenarioOf(file: z.output<typeof scenarioShape>): Scenario {
  return {
    scenarioId: file.scenario_id,
    domain: file.domain,
    title: file.title ?? file.scenario_id,
    description: file.description ?? "",
    bindings: file.bindings ?? {},
    analysisContext: file.analysis_context ?? {},
    steps: (file.steps ?? []).map(stepOf),
    ...(file.user === undefined ? {} : { user: userOf(file.user) }),
  };
}

function userOf(file: NonNullable<z.output<typeof scenarioShape>["user"]>): SimulatedUser {
  const { persona, goal, max_turns: maxTurns, every_answer: expected } = file;
  const goalAnswerPatternsAny = file.goal_answer_patterns_any ?? none;
  const turn = stepOf({ ...expected, step_id: "turn", question: "" });
  return { persona, goal, maxTurns, goalAnswerPatternsAny, turn };
}

function caseOf({ case_id, schema_version: _, ...file }: z.output<typeof caseShape>): Scenario {
  const { domain, title = case_id, bindings, analysis_context, ...step } = file;
  const steps = [{ ...step, step_id: "case", title }];
  return scenarioOf({ scenario_id: case_id, domain, title, bindings, analysis_context, steps });
}

function stepOf(file: StepFile): Step {
  const own = Object.entries(file).filter(([name]) => !Object.hasOwn(CATALOG_FIELDS, name));
  const { stepId, title, question, dependsOn, criticality, semanticTags, ...more } =
    camelCaseKeys<z.ZodType>(stepShape, Object.fromEntries(own)) as NamedStep;
  const { notes, headers, ...expected } = more;
  return {
    stepId,
    title: title ?? stepId,
    question,
    dependsOn: dependsOn ?? none,
    criticality: readCriticality(criticality),
    expectations: {
      ...NO_EXPECTATIONS,
      ...expected,
      expectedDebugFields: debugFieldsOf(file),
      requiredFilters: normalizeFilters(file.required_filters),
    },
    semanticTags: semanticTags ?? none,
    ...defined({ notes, headers }),
  };
}

/** One for all steps: a large pack has thousands, and most depend on nothing. */
const none: readonly never[] = [];

function debugFieldsOf(file: StepFile): readonly DebugExpectation[] {
  const catalog = Object.entries(CATALOG_FIELDS).flatMap(([name, path]) => {
    const value = file[name as keyof typeof CATALOG_FIELDS];
    return value === undefined ? [] : [{ path, op: "equals" as const, value }];
  });
  return [...((file.expected_debug_fields ?? []) as readonly DebugExpectation[]), ...catalog];
}
