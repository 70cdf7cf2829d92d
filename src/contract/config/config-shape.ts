import { z } from "zod";
import {
  atLeastOne,
  httpUrl,
  language,
  locale,
  maskRule,
  numberBetween,
  pathInProject,
  repairMode,
  someText,
  variableName,
  wholeNumber,
  yesOrNo,
} from "./setting-values.ts";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/u, {
  error: "must be a name of letters, digits, - and _",
});

const compatibleServer = z.strictObject({
  base_url: httpUrl,
  api_key_env: variableName.exactOptional(),
  cuts_silently: yesOrNo.exactOptional(),
});

const command = z.strictObject({
  argv: z.tuple([someText], z.string()),
  reads: z
    .enum(["text", "claude-json", "codex-json"], {
      error: "must be text, claude-json or codex-json",
    })
    .exactOptional(),
  seconds: wholeNumber(1, 10_800).exactOptional(),
});

const microDollars = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const price = z.strictObject({
  model: someText,
  from: z.iso.date({ error: "must be a day such as 2026-01-31" }),
  input: microDollars,
  output: microDollars,
  cached_input: microDollars.exactOptional(),
  source: someText,
});

const limits = z.strictObject({
  concurrency: z.record(name, wholeNumber(1, 1_000)).exactOptional(),
  retries: wholeNumber(1, 20).exactOptional(),
  budget: z
    .strictObject({
      usd: numberBetween(0, 1_000_000).exactOptional(),
      tokens: wholeNumber(1, Number.MAX_SAFE_INTEGER).exactOptional(),
      seconds: wholeNumber(1, 31_536_000).exactOptional(),
    })
    .exactOptional(),
});

const path = z.string().regex(/^\//u, { error: "must be a path that begins with /" });
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u, {
  error: "must be the name of a header",
});

/** How the assistant under test is spoken to; each part of an `answer` is a JMESPath expression. */
const assistant = z.strictObject({
  base_url: httpUrl.exactOptional(),
  message: z
    .strictObject({
      path: path.exactOptional(),
      /** Texts in it may hold `{{question}}`, `{{session_id}}` and `{{analysis_context}}`. */
      body: z.unknown().exactOptional(),
      answer: z
        .strictObject({
          text: someText.exactOptional(),
          session_id: someText.exactOptional(),
          reply_type: someText.exactOptional(),
          message_id: someText.exactOptional(),
          trace_id: someText.exactOptional(),
          debug: someText.exactOptional(),
          entries: someText.exactOptional(),
          semantic_memory: someText.exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  session: z
    .strictObject({
      /** `false`: the assistant cannot be asked for a session. */
      available: yesOrNo.exactOptional(),
      path: path.exactOptional(),
      answer: z
        .strictObject({
          session_id: someText.exactOptional(),
          items: someText.exactOptional(),
          role: someText.exactOptional(),
          text: someText.exactOptional(),
          reply_type: someText.exactOptional(),
          debug: someText.exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  headers: z.record(headerName, z.string()).exactOptional(),
  headers_env: z.record(headerName, variableName).exactOptional(),
  timeout_seconds: numberBetween(0.1, 3_600).exactOptional(),
  max_bytes: wholeNumber(1, 1_000_000_000).exactOptional(),
  retries: wholeNumber(0, 20).exactOptional(),
});

/** When questions are worth asking; each of them has a default. */
const questionLimits = z.strictObject({
  follow_up_share: numberBetween(0, 1).exactOptional(),
  direct_share_from: numberBetween(0, 1).exactOptional(),
  direct_share_to: numberBetween(0, 1).exactOptional(),
  report_share: numberBetween(0, 1).exactOptional(),
  large_pack: wholeNumber(1, 100_000).exactOptional(),
  domains: wholeNumber(0, 1_000).exactOptional(),
  near_duplicate: numberBetween(0, 1).exactOptional(),
  path_warn: wholeNumber(1, 10_000).exactOptional(),
  path_fail: wholeNumber(1, 10_000).exactOptional(),
  weak_from_warnings: wholeNumber(1, 100).exactOptional(),
});

/** `signoff.yaml` as people write it: the one reader of it. Unknown keys are errors everywhere but in `message.body`. */
export const configShape = z.strictObject({
  version: z.literal(1, { error: "must be 1; another number belongs to another Signoff" }),
  models: z
    .strictObject({
      writer: someText.exactOptional(),
      reviewer: someText.exactOptional(),
      judge: someText.exactOptional(),
      analyst: someText.exactOptional(),
      aliases: z.record(z.string().min(1), someText).exactOptional(),
      partitions: z.record(z.string().min(1), someText).exactOptional(),
    })
    .exactOptional(),
  providers: z
    .strictObject({
      ollama: z.strictObject({ base_url: httpUrl.exactOptional() }).exactOptional(),
      compatible: z.record(name, compatibleServer).exactOptional(),
    })
    .exactOptional(),
  commands: z.record(name, command).exactOptional(),
  prices: z.array(price).exactOptional(),
  limits: limits.exactOptional(),
  drafting: z
    .strictObject({
      max_turns: wholeNumber(1, 10).exactOptional(),
      recipes: pathInProject.exactOptional(),
    })
    .exactOptional(),
  episodes: z
    .strictObject({
      language: language.exactOptional(),
      max_iterations: wholeNumber(1, 100).exactOptional(),
    })
    .exactOptional(),
  notes: z
    .strictObject({
      roots: z.array(pathInProject).min(1, { error: atLeastOne }).exactOptional(),
      exclude: z.array(someText).exactOptional(),
      gates: pathInProject.exactOptional(),
      models: z.array(someText).min(1, { error: atLeastOne }).exactOptional(),
      lock: pathInProject.exactOptional(),
      exports: pathInProject.exactOptional(),
      allow_offline: yesOrNo.exactOptional(),
    })
    .exactOptional(),
  scenarios: z
    .strictObject({
      output_dir: pathInProject.exactOptional(),
      assistant: assistant.exactOptional(),
      mask: z.array(maskRule).exactOptional(),
      locale: locale.exactOptional(),
      library: pathInProject.exactOptional(),
      garbage_markers: z.array(someText).exactOptional(),
      noise_phrases: z.array(someText).exactOptional(),
      questions: questionLimits.exactOptional(),
      imported_runs: z
        .strictObject({
          report: pathInProject.exactOptional(),
          sessions: pathInProject.exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  stages: z
    .strictObject({
      repair_mode: repairMode.exactOptional(),
      target_score: wholeNumber(0, 100).exactOptional(),
      coder: someText.exactOptional(),
      file_hints: z.record(z.string(), z.array(someText)).exactOptional(),
    })
    .exactOptional(),
  studio: z.strictObject({ port: wholeNumber(0, 65_535).exactOptional() }).exactOptional(),
});
