import { z } from "zod";
import { DEBUG_OPERATORS, problemSeverities } from "../../domain/scenarios/manifest.ts";

/** Ids become folders on every system. */
export const folderName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/,
    "use letters, digits, _ . - (at most 80, a letter or digit first)",
  )
  .refine((id) => !id.endsWith("."), "must not end with a dot")
  .refine(
    (id) => !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(id),
    "is a reserved file name on Windows",
  );

const text = z.string().trim().min(1);
const texts = z.array(z.string());
const patterns = z.array(z.string().min(1).max(2000));
const severity = z.enum(problemSeverities);
const json = z.json();
const bindings = z.record(z.string(), json);

const debugField = z.strictObject({
  path: text,
  op: z.enum(DEBUG_OPERATORS),
  value: json.optional(),
});

/** Expectations as they are written in a step. */
const expectationFields = {
  criticality: z.string().optional(),
  allowed_reply_types: texts.optional(),
  required_answer_patterns_all: patterns.optional(),
  required_answer_patterns_any: patterns.optional(),
  required_direct_answer_patterns_any: patterns.optional(),
  forbidden_answer_patterns: patterns.optional(),
  expected_intents: texts.optional(),
  expected_capability: z.string().optional(),
  expected_recipe: z.string().optional(),
  expected_result_mode: z.string().optional(),
  forbidden_capabilities: texts.optional(),
  forbidden_recipes: texts.optional(),
  expected_debug_fields: z.array(debugField).optional(),
  expected_catalog_alignment_status: json.optional(),
  expected_catalog_chain_top_match: json.optional(),
  expected_catalog_selected_matches_top: json.optional(),
  expected_route_candidate_status: json.optional(),
  expected_route_candidate_executable_now: json.optional(),
  expected_route_candidate_missing_axes: json.optional(),
  required_filters: bindings.optional(),
  required_state_objects: texts.optional(),
  required_answer_shape: z.string().optional(),
  required_carryover_invariants: texts.optional(),
  invariant_severity: z.record(z.string(), severity).optional(),
  max_seconds: z.number().positive().optional(),
  expected_tool_calls: z
    .array(
      z.strictObject({
        name: text,
        arguments: z.record(z.string(), json).optional(),
      }),
    )
    .optional(),
  forbidden_tools: texts.optional(),
  semantic_tags: texts.optional(),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/u, "use letters, digits and -"), z.string())
    .optional(),
  notes: z.string().optional(),
};

/** Shown as a line of reports. */
const title = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "must be one line");

/** Project-specific expectations and the payload field each of them names. */
export const CATALOG_FIELDS = {
  expected_catalog_alignment_status: "mcp_discovery_catalog_chain_alignment_status",
  expected_catalog_chain_top_match: "mcp_discovery_catalog_chain_top_match",
  expected_catalog_selected_matches_top: "mcp_discovery_catalog_chain_selected_matches_top",
  expected_route_candidate_status: "mcp_discovery_route_candidate_status",
  expected_route_candidate_executable_now: "mcp_discovery_route_candidate_executable_now",
  expected_route_candidate_missing_axes: "mcp_discovery_route_candidate_missing_axes",
} as const;

export const stepShape = z.strictObject({
  step_id: folderName,
  title: title.optional(),
  question: text,
  depends_on: texts.optional(),
  ...expectationFields,
});

/** A person played by a model, who talks to the assistant until a goal is reached. */
const userShape = z.strictObject({
  persona: text,
  goal: text,
  max_turns: z.int().min(1).max(50).default(8),
  /** The goal counts as reached only where an answer matches one of them. */
  goal_answer_patterns_any: patterns.optional(),
  /** What every answer is held against. */
  every_answer: z.strictObject(expectationFields).optional(),
});

export const scenarioShape = z
  .strictObject({
    schema_version: z
      .enum(["domain_scenario_manifest_v1", "domain_truth_harness_spec_v1"])
      .optional(),
    scenario_id: folderName,
    domain: text,
    title: title.optional(),
    description: z.string().optional(),
    source_export: z.string().optional(),
    bindings: bindings.optional(),
    analysis_context: bindings.optional(),
    steps: z.array(stepShape).max(500).optional(),
    user: userShape.optional(),
  })
  .refine(({ steps = [], user }) => steps.length > 0 || user !== undefined, {
    path: ["steps"],
    error: "needs steps, or a user who asks",
  });

export const packShape = z.strictObject({
  schema_version: z.literal("domain_scenario_pack_v1").optional(),
  pack_id: folderName,
  domain: text,
  title: title.optional(),
  bindings: bindings.optional(),
  scenarios: z
    .array(z.union([text, z.strictObject({ path: text }), scenarioShape]))
    .min(1)
    .max(200),
});

/** A single question. */
export const caseShape = z.strictObject({
  schema_version: z.literal("domain_case_v1").optional(),
  case_id: folderName,
  domain: text,
  title: title.optional(),
  question: text,
  bindings: bindings.optional(),
  analysis_context: bindings.optional(),
  ...expectationFields,
});
