import { z } from "zod";
import { panelRules } from "../../domain/drafting/panel.ts";
import { placePattern } from "../../domain/models/hosted-providers.ts";
import {
  BODY_FORMATS,
  METHODS,
  PRESETS,
  REPLY_FORMATS,
} from "../../domain/scenarios/assistant-formats.ts";
import { SESSION_KINDS } from "../../domain/scenarios/turn.ts";
import { optionalStrictObject } from "../documents/shapes.ts";
import {
  assistantAddress,
  httpUrl,
  language,
  locale,
  maskRule,
  mustNameOne,
  nonEmptyText,
  numberBetween,
  pathInProject,
  repairMode,
  variableName,
  wholeNumberBetween,
  yesOrNo,
} from "./setting-values.ts";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/u, {
  error: "must be a name of letters, digits, - and _",
});

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u, {
  error: "must be the name of a header",
});

/** What a gateway wants on every request; secrets belong into `api_key_env`. */
const additions = {
  headers: z.record(headerName, z.string()).exactOptional(),
  query: z.record(z.string().min(1), z.string()).exactOptional(),
};

const compatibleServer = z.strictObject({
  base_url: httpUrl,
  api_key_env: variableName.exactOptional(),
  cuts_silently: yesOrNo.exactOptional(),
  structured_output: yesOrNo.exactOptional(),
  ...additions,
});

const hostedSettings = {
  base_url: httpUrl.exactOptional(),
  api_key_env: variableName.exactOptional(),
  ...additions,
  /** How hard its models may think; those that do get more room for it. */
  effort: z
    .enum(["none", "minimal", "low", "medium", "high", "xhigh"], {
      error: "must be none, minimal, low, medium, high or xhigh",
    })
    .exactOptional(),
};
const hosted = z.strictObject(hostedSettings).exactOptional();
const place = z
  .string()
  .regex(placePattern, { error: "must be a name of letters, digits and -" })
  .exactOptional();

const command = z.strictObject({
  argv: z.tuple([nonEmptyText], z.string()),
  reads: z
    .enum(["text", "claude-json", "codex-json", "gemini-json", "acp"], {
      error: "must be text, claude-json, codex-json, gemini-json or acp",
    })
    .exactOptional(),
  seconds: wholeNumberBetween(1, 10_800).exactOptional(),
});

const microDollars = wholeNumberBetween(0, Number.MAX_SAFE_INTEGER);

const price = z.strictObject({
  model: nonEmptyText,
  from: z.iso.date({ error: "must be a day such as 2026-01-31" }),
  input: microDollars,
  output: microDollars,
  cached_input: microDollars.exactOptional(),
  cache_write: microDollars.exactOptional(),
  source: nonEmptyText,
});

const limits = z.strictObject({
  concurrency: z.record(name, wholeNumberBetween(1, 1_000)).exactOptional(),
  requests_per_second: z.record(name, numberBetween(0.01, 10_000)).exactOptional(),
  retries: wholeNumberBetween(1, 20).exactOptional(),
  timeout: numberBetween(1, 600).exactOptional(),
  total_timeout: numberBetween(1, 3_600).exactOptional(),
  longest_wait_seconds: wholeNumberBetween(1, 86_400).exactOptional(),
  budget: optionalStrictObject({
    usd: numberBetween(0, 1_000_000).exactOptional(),
    tokens: wholeNumberBetween(1, Number.MAX_SAFE_INTEGER).exactOptional(),
    seconds: wholeNumberBetween(1, 31_536_000).exactOptional(),
  }),
});

const path = z.string().regex(/^\//u, { error: "must be a path that begins with /" });

function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of ${words.join(", ")}` });
}

/** How to talk to the assistant under test; each part of an `answer` is a JMESPath expression. */
const assistant = z.strictObject({
  /** What people call it; part of each run, so that runs of two assistants are never taken for one another. */
  name: nonEmptyText.exactOptional(),
  base_url: assistantAddress.exactOptional(),
  /** A format that many assistants share; the keys below change single parts of it. */
  preset: oneOf(PRESETS).exactOptional(),
  /** What `{{model}}` and `{{stream}}` in the body stand for. */
  model: nonEmptyText.exactOptional(),
  stream: yesOrNo.exactOptional(),
  /** The header of a response that holds the assistant's version; or `message.answer.version`. */
  version_header: headerName.exactOptional(),
  message: optionalStrictObject({
    method: oneOf(METHODS).exactOptional(),
    /** May hold `:session_id`. */
    path: path.exactOptional(),
    format: oneOf(BODY_FORMATS).exactOptional(),
    /** Texts in it may hold `{{question}}`, `{{session_id}}`, `{{messages}}` and `{{analysis_context}}`. */
    body: z.unknown().exactOptional(),
    /** One entry of `{{messages}}`; texts in it may hold `{{role}}` and `{{text}}`. */
    turn: z.unknown().exactOptional(),
    /** The assistant's own role in it. */
    assistant_role: nonEmptyText.exactOptional(),
    reads: oneOf(REPLY_FORMATS).exactOptional(),
    /** The event of a stream that completes the answer. */
    until: nonEmptyText.exactOptional(),
    answer: optionalStrictObject({
      text: nonEmptyText.exactOptional(),
      session_id: nonEmptyText.exactOptional(),
      reply_type: nonEmptyText.exactOptional(),
      message_id: nonEmptyText.exactOptional(),
      trace_id: nonEmptyText.exactOptional(),
      debug: nonEmptyText.exactOptional(),
      entries: nonEmptyText.exactOptional(),
      semantic_memory: nonEmptyText.exactOptional(),
      version: nonEmptyText.exactOptional(),
      tool_calls: nonEmptyText.exactOptional(),
      /** The piece of text that one event of a stream adds. */
      delta: nonEmptyText.exactOptional(),
      error: nonEmptyText.exactOptional(),
    }),
  }),
  session: optionalStrictObject({
    /** Who keeps a conversation together. */
    kind: oneOf(SESSION_KINDS).exactOptional(),
    /** The request that opens a session, and where its reply has the id. */
    create: optionalStrictObject({
      path,
      body: z.unknown().exactOptional(),
      session_id: nonEmptyText.exactOptional(),
    }),
    /** `false`: the assistant cannot be asked for a session. */
    available: yesOrNo.exactOptional(),
    path: path.exactOptional(),
    answer: optionalStrictObject({
      session_id: nonEmptyText.exactOptional(),
      items: nonEmptyText.exactOptional(),
      role: nonEmptyText.exactOptional(),
      text: nonEmptyText.exactOptional(),
      reply_type: nonEmptyText.exactOptional(),
      debug: nonEmptyText.exactOptional(),
      /** When it was said: a conversation without dates proves no repair by itself. */
      at: nonEmptyText.exactOptional(),
    }),
  }),
  headers: z.record(headerName, z.string()).exactOptional(),
  headers_env: z.record(headerName, variableName).exactOptional(),
  timeout_seconds: numberBetween(0.1, 3_600).exactOptional(),
  max_bytes: wholeNumberBetween(1, 1_000_000_000).exactOptional(),
  retries: wholeNumberBetween(0, 20).exactOptional(),
  /** Questions in flight at once. */
  concurrency: wholeNumberBetween(1, 64).exactOptional(),
});

/** One of several analysts: its own model, else `models.analyst`, and what it is to look for. */
const analyst = z.strictObject({
  model: nonEmptyText.exactOptional(),
  criteria: nonEmptyText.exactOptional(),
});

/** When questions are worth asking; each of them has a default. */
const questionLimits = z.strictObject({
  follow_up_share: numberBetween(0, 1).exactOptional(),
  direct_share_from: numberBetween(0, 1).exactOptional(),
  direct_share_to: numberBetween(0, 1).exactOptional(),
  report_share: numberBetween(0, 1).exactOptional(),
  large_pack: wholeNumberBetween(1, 100_000).exactOptional(),
  domains: wholeNumberBetween(0, 1_000).exactOptional(),
  near_duplicate: numberBetween(0, 1).exactOptional(),
  path_warn: wholeNumberBetween(1, 10_000).exactOptional(),
  path_fail: wholeNumberBetween(1, 10_000).exactOptional(),
  weak_from_warnings: wholeNumberBetween(1, 100).exactOptional(),
});

/** A model, or a member with a name: its own model, else the first of `notes.models`, and what its prompt adds. */
const panelMember = z.union([
  nonEmptyText,
  z.strictObject({
    name,
    model: nonEmptyText.exactOptional(),
    role: nonEmptyText.exactOptional(),
    criteria: nonEmptyText.exactOptional(),
  }),
]);

const notesPanel = z.strictObject({
  rule: z.enum(panelRules).exactOptional(),
  models: z
    .array(panelMember)
    .min(2, { error: "must name at least two members" })
    .refine((members) => new Set(members.map(memberName)).size === members.length, {
      error: "must not name a member twice; the same model can be asked under several names",
    }),
});

function memberName(member: z.output<typeof panelMember>): string {
  return typeof member === "string" ? member : member.name;
}

/** `signoff.yaml` as people write it: the one reader of it. Unknown keys are errors everywhere but in `message.body`. */
export const configShape = z.strictObject({
  version: z.literal(1, { error: "must be 1; another number belongs to another Signoff" }),
  /** Names this project's schema in a database that several projects share. */
  project: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/u, {
      error: "must be a name of at most 40 lower-case letters, digits and _",
    })
    .exactOptional(),
  models: optionalStrictObject({
    writer: nonEmptyText.exactOptional(),
    reviewer: nonEmptyText.exactOptional(),
    judge: nonEmptyText.exactOptional(),
    analyst: nonEmptyText.exactOptional(),
    user: nonEmptyText.exactOptional(),
    aliases: z.record(z.string().min(1), nonEmptyText).exactOptional(),
    partitions: z.record(z.string().min(1), nonEmptyText).exactOptional(),
  }),
  providers: optionalStrictObject({
    ollama: optionalStrictObject({ base_url: httpUrl.exactOptional() }),
    compatible: z.record(name, compatibleServer).exactOptional(),
    openai: hosted,
    anthropic: hosted,
    google: hosted,
    mistral: hosted,
    groq: hosted,
    openrouter: hosted,
    xai: hosted,
    azure: optionalStrictObject({
      ...hostedSettings,
      resource: place,
      api_version: nonEmptyText.exactOptional(),
    }),
    vertex: optionalStrictObject({ ...hostedSettings, project: place, location: place }),
    bedrock: optionalStrictObject({ ...hostedSettings, region: place }),
  }),
  commands: z.record(name, command).exactOptional(),
  prices: z.array(price).exactOptional(),
  limits: limits.exactOptional(),
  drafting: optionalStrictObject({
    max_turns: wholeNumberBetween(1, 10).exactOptional(),
    recipes: pathInProject.exactOptional(),
  }),
  episodes: optionalStrictObject({
    language: language.exactOptional(),
    max_iterations: wholeNumberBetween(1, 100).exactOptional(),
  }),
  notes: optionalStrictObject({
    roots: z.array(pathInProject).min(1, { error: mustNameOne }).exactOptional(),
    exclude: z.array(nonEmptyText).exactOptional(),
    gates: pathInProject.exactOptional(),
    models: z.array(nonEmptyText).min(1, { error: mustNameOne }).exactOptional(),
    lock: pathInProject.exactOptional(),
    exports: pathInProject.exactOptional(),
    findings: yesOrNo.exactOptional(),
    allow_offline: yesOrNo.exactOptional(),
    panels: z.record(name, notesPanel).exactOptional(),
  }),
  scenarios: optionalStrictObject({
    output_dir: pathInProject.exactOptional(),
    assistant: assistant.exactOptional(),
    mask: z.array(maskRule).exactOptional(),
    locale: locale.exactOptional(),
    library: pathInProject.exactOptional(),
    garbage_markers: z.array(nonEmptyText).exactOptional(),
    noise_phrases: z.array(nonEmptyText).exactOptional(),
    questions: questionLimits.exactOptional(),
    /** Several analysts in place of `models.analyst`, by name, and how many of them must accept. */
    analysts: z.record(name, analyst).exactOptional(),
    analyst_rule: z.enum(panelRules).exactOptional(),
    imported_runs: optionalStrictObject({
      report: pathInProject.exactOptional(),
      sessions: pathInProject.exactOptional(),
    }),
  }),
  stages: optionalStrictObject({
    repair_mode: repairMode.exactOptional(),
    target_score: wholeNumberBetween(0, 100).exactOptional(),
    coder: nonEmptyText.exactOptional(),
    file_hints: z.record(z.string(), z.array(nonEmptyText)).exactOptional(),
  }),
  studio: optionalStrictObject({ port: wholeNumberBetween(0, 65_535).exactOptional() }),
});
