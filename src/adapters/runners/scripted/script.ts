import { z } from "zod";
import { explainShape } from "../../../contract/documents/explain-shape.ts";
import { messageWithHint } from "../../../contract/documents/file-problem.ts";
import { defined } from "../../../domain/values/defined.ts";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";
import {
  type ReviewScript,
  readReviewScript,
  reviewScriptShape,
  scriptedFailure,
} from "./scripted-reviews.ts";

/** The scripted reply to one ask: a text or an error, and the files to change first. */
export interface ScriptedReply {
  readonly text: string;
  readonly files: ReadonlyMap<string, string>;
  readonly error?: ScriptedError;
}

export interface ScriptedError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** The replies of one asset, per role. An absent role has no list, which is different from an empty one. */
export interface AssetScript {
  readonly creator?: readonly ScriptedReply[];
  readonly reviewer?: readonly ScriptedReply[];
  readonly analyst?: readonly ScriptedReply[];
  readonly user?: readonly ScriptedReply[];
  /** Reviewers with a list of their own, by label. */
  readonly reviewers: ReadonlyMap<string, readonly ScriptedReply[]>;
}

export interface Script {
  readonly fileName: string;
  /** Its reviewers are asked to sign an approval that comes with other words, as models are. */
  readonly takesQuestions: boolean;
  /** `every`: one set of replies whatever the asset is called. */
  readonly replies:
    | { readonly kind: "every"; readonly asset: AssetScript }
    | { readonly kind: "per-asset"; readonly assets: ReadonlyMap<string, AssetScript> }
    | { readonly kind: "reviews"; readonly script: ReviewScript };
}

const failure = z.strictObject({
  $error: scriptedFailure.extend({ retry_after_ms: z.int().min(0).optional() }),
});

const mutations = z.record(z.string(), z.string()).nullish();

const element = z.union([z.string(), z.record(z.string(), z.unknown())], {
  error: "expected a reply: an object, or a string of raw reply text",
});

const list = z.array(element, { error: "expected a list of replies" });

const assetScript = z.strictObject({
  creator: list.optional(),
  reviewer: list.optional(),
  analyst: list.optional(),
  user: list.optional(),
  reviewers: z.record(z.string(), list).optional(),
});

const questions = z.boolean().default(false);
const everyAsset = assetScript.extend({ questions });
const perAsset = z.strictObject({ assets: z.record(z.string(), assetScript), questions });

/** Reads a script strictly, because a person wrote it: every error names the file and the place in it. */
export function parseScript(json: string, fileName: string): Script {
  const document = parseDocument(json, fileName);
  if (isObject(document) && Object.hasOwn(document, "assets")) {
    const { assets, questions: takesQuestions } = check(perAsset, document, { fileName, path: [] });
    const entries = Object.entries(assets).map(
      ([id, asset]) => [id, readAsset(asset, { fileName, path: ["assets", id] })] as const,
    );
    return { fileName, takesQuestions, replies: { kind: "per-asset", assets: new Map(entries) } };
  }
  if (isObject(document) && Object.hasOwn(document, "reviews")) {
    const script = readReviewScript(check(reviewScriptShape, document, { fileName, path: [] }));
    return { fileName, takesQuestions: false, replies: { kind: "reviews", script } };
  }
  const place = { fileName, path: [] };
  const { questions: takesQuestions, ...replies } = check(everyAsset, document, place);
  const asset = readAsset(replies, place);
  return { fileName, takesQuestions, replies: { kind: "every", asset } };
}

interface Place {
  readonly fileName: string;
  readonly path: readonly PropertyKey[];
}

function parseDocument(json: string, fileName: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/u, ""));
  } catch (cause) {
    throw new ConfigurationError(`${fileName} is not JSON: ${messageOf(cause)}`, {
      code: "script-invalid",
      facts: { file: fileName },
      hint: 'A script is {"creator": […], "reviewer": […]}.',
      cause,
    });
  }
}

function readAsset(asset: z.infer<typeof assetScript>, place: Place): AssetScript {
  const labelled = Object.entries(asset.reviewers ?? {}).map(
    ([label, replies]) => [label, readList(replies, at(place, "reviewers", label))] as const,
  );
  const listOf = (role: "creator" | "reviewer" | "analyst" | "user") =>
    asset[role] && readList(asset[role], at(place, role));
  return {
    ...defined({
      creator: listOf("creator"),
      reviewer: listOf("reviewer"),
      analyst: listOf("analyst"),
      user: listOf("user"),
    }),
    reviewers: new Map(labelled),
  };
}

function readList(elements: z.infer<typeof list>, place: Place): readonly ScriptedReply[] {
  return elements.map((reply, index) => readReply(reply, at(place, index)));
}

function readReply(reply: z.infer<typeof element>, place: Place): ScriptedReply {
  if (typeof reply === "string") return { text: wellFormed(reply), files: new Map() };
  if (Object.hasOwn(reply, "$error")) return readFailure(reply, place);
  const { mutate_files: declared, ...payload } = reply;
  const files = check(mutations, declared, at(place, "mutate_files"));
  return { text: stringify(payload, place), files: new Map(Object.entries(files ?? {})) };
}

function readFailure(reply: Record<string, unknown>, place: Place): ScriptedReply {
  const { code, message, retryable, retry_after_ms: after } = check(failure, reply, place).$error;
  const error = { code, message, retryable, ...defined({ retryAfterMs: after }) };
  return { text: "", files: new Map(), error };
}

function stringify(payload: Record<string, unknown>, place: Place): string {
  try {
    return JSON.stringify(payload);
  } catch (cause) {
    throw invalid(place, `cannot be sent: ${messageOf(cause)}`, cause);
  }
}

/** A reply is stored as UTF-8, which has no lone surrogates: kept, they would read differently after a resume. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\u{fffd}");
}

function check<T>(schema: z.ZodType<T>, value: unknown, place: Place): T {
  const read = explainShape(schema, value);
  if (read.kind === "fits") return read.value;
  const { path, ...fault } = read.faults[0] ?? { path: [], message: "is not valid" };
  throw invalid(at(place, ...path), messageWithHint(fault));
}

function invalid(place: Place, problem: string, cause?: unknown): ConfigurationError {
  const path = place.path.map(String).join(".");
  return new ConfigurationError(
    `${place.fileName}: ${path === "" ? "the document" : path}: ${problem}`,
    { code: "script-invalid", facts: { file: place.fileName, path }, ...defined({ cause }) },
  );
}

function at(place: Place, ...more: readonly PropertyKey[]): Place {
  return { fileName: place.fileName, path: [...place.path, ...more] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
