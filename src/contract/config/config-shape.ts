import { z } from "zod";
import {
  httpUrl,
  language,
  locale,
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

const assistant = z.strictObject({
  base_url: httpUrl.exactOptional(),
  message: z.record(z.string(), z.unknown()).exactOptional(),
  session: z.record(z.string(), z.unknown()).exactOptional(),
  headers_env: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u, { error: "must be the name of a header" }),
      variableName,
    )
    .exactOptional(),
});

/** `signoff.yaml` as people write it. Unknown keys are errors everywhere but in the assistant's own templates. */
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
      roots: z.array(pathInProject).exactOptional(),
      exclude: z.array(someText).exactOptional(),
      gates: pathInProject.exactOptional(),
      models: z.array(someText).exactOptional(),
      lock: pathInProject.exactOptional(),
      exports: pathInProject.exactOptional(),
      allow_offline: yesOrNo.exactOptional(),
    })
    .exactOptional(),
  scenarios: z
    .strictObject({
      output_dir: pathInProject.exactOptional(),
      assistant: assistant.exactOptional(),
      mask: z.array(someText).exactOptional(),
      locale: locale.exactOptional(),
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
