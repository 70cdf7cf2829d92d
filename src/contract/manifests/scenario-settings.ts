import { z } from "zod";
import type { PatternCheck } from "./manifest-patterns.ts";
import type { Parsed } from "./manifest-problem.ts";
import type { ManifestSource } from "./parse-manifest.ts";
import { checkShape, readDocument } from "./read-document.ts";

const text = z.string().min(1);
const texts = z.array(text);
const expressions = z.record(z.string(), text);

const assistantShape = z.strictObject({
  base_url: text.optional(),
  message: z.strictObject({ path: text.optional(), body: z.json().optional() }).optional(),
  /** `false`: the assistant cannot be asked for a session. */
  session: z.union([z.literal(false), z.strictObject({ path: text })]).optional(),
  /** JMESPath expressions, by field of the answer. */
  answer: expressions.optional(),
  session_items: expressions.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Header to the name of the environment variable that holds its value. */
  headers_env: z.record(z.string(), text).optional(),
  timeout_seconds: z.number().positive().max(3600).optional(),
  max_bytes: z.int().positive().optional(),
  retries: z.int().min(0).max(20).optional(),
});

/** The `scenarios` part of `signoff.yaml`. */
export const scenarioSettingsShape = z.strictObject({
  output_dir: text.default("artifacts/domain_runs"),
  locale: z.enum(["en", "de", "ru"]).default("en"),
  library: text.default("artifacts/pack_library"),
  assistant: assistantShape.default({}),
  mask: z.array(z.strictObject({ pattern: text, replace: z.string() })).default([]),
  garbage_markers: texts.optional(),
  noise_phrases: texts.optional(),
  file_hints: z.record(z.string(), texts).default({}),
  imported_runs: z
    .strictObject({
      report: text.default("reports/{id}.md"),
      sessions: text.default("assistant_sessions/{id}-*.json"),
    })
    .default({ report: "reports/{id}.md", sessions: "assistant_sessions/{id}-*.json" }),
});

export type ScenarioSettings = z.output<typeof scenarioSettingsShape>;

export const defaultScenarioSettings: ScenarioSettings = scenarioSettingsShape.parse({});

/** Reads only its own part; the others belong to other features. */
export function parseScenarioSettings(
  source: ManifestSource,
  checkPattern: PatternCheck,
): Parsed<ScenarioSettings> {
  const document = readDocument(source.file, source.text);
  if (document.kind === "problems") return document;
  const whole = z.looseObject({ scenarios: scenarioSettingsShape.optional() });
  const shaped = checkShape(document.value, whole);
  if (shaped.kind === "problems") return shaped;
  const settings = shaped.value.scenarios ?? defaultScenarioSettings;
  const problems = settings.mask.flatMap(({ pattern }, index) => {
    const problem = checkPattern(pattern);
    const path = ["scenarios", "mask", index, "pattern"];
    return problem === undefined ? [] : [document.value.problemAt(path, problem.message)];
  });
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "parsed", value: settings };
}
