import { instant } from "../../../domain/values/instant.ts";
import type { Json } from "../../../domain/values/json.ts";
import { ConfigurationError, RunnerError } from "../../../domain/values/workflow-error.ts";
import type { AskRequest, Runner } from "../../../ports/runner.ts";
import { mutateFiles } from "./mutate-files.ts";
import type { AssetScript, Script, ScriptedReply } from "./script.ts";
import { replyFromReviews } from "./scripted-reviews.ts";

export interface ScriptedRunnerOptions {
  /** Where `mutate_files` may write; without it a script that has them is refused. */
  readonly root?: string;
}

/** The time of all scripted replies, so that a scripted run always produces the same bytes. */
const SCRIPTED_TIME = instant("2000-01-01T00:00:00Z");

/**
 * Answers the n-th ask of a role with the n-th element of its list. Stateless: the ordinal is in the request, so a
 * resumed run gets the same replies in any process.
 */
export function createScriptedRunner(script: Script, options: ScriptedRunnerOptions = {}): Runner {
  const { root } = options;
  if (root === undefined && changesFiles(script)) {
    throw new ConfigurationError(
      `${script.fileName} has mutate_files, but there is no workspace to change.`,
      { code: "script-needs-root", facts: { file: script.fileName } },
    );
  }
  return {
    async attempt(request, signal, onText) {
      signal.throwIfAborted();
      const reply = replyFor(script, request);
      if (reply.error !== undefined) throw new RunnerError(reply.error.message, reply.error);
      if (root !== undefined) await mutateFiles(root, reply.files);
      onText?.(reply.text);
      return {
        kind: "replied",
        reply: {
          text: reply.text,
          model: modelOf(script) ?? request.model,
          finish: "complete",
          ...(script.takesQuestions && { takesQuestions: true }),
          usage: { input: 0, output: 0, microUsd: 0 },
          startedAt: SCRIPTED_TIME,
          finishedAt: SCRIPTED_TIME,
        },
      };
    },
  };
}

function modelOf({ replies }: Script): string | undefined {
  return replies.kind === "reviews" ? replies.script.model : undefined;
}

function replyFor(script: Script, request: AskRequest): ScriptedReply {
  const { replies: all } = script;
  if (all.kind === "reviews")
    return { text: replyFromReviews(all.script, request), files: new Map() };
  const assetId = taskText(request.task, "assetId");
  const asset = assetOf(script, assetId);
  const replies = listFor(asset, request);
  const asked = { file: script.fileName, role: request.role, asset: assetId ?? null };
  const whose = `role "${request.role}"${assetId === undefined ? "" : ` of asset "${assetId}"`}`;
  if (replies === undefined) {
    throw new RunnerError(`${script.fileName} has no list of replies for ${whose}.`, {
      code: "script-role-missing",
      facts: asked,
    });
  }
  const reply = replies[request.ordinal];
  if (reply === undefined) {
    const count = replies.length === 1 ? "1 reply" : `${replies.length} replies`;
    throw new RunnerError(
      `${script.fileName} ran out: it has ${count} for ${whose}, and number ${request.ordinal + 1} was asked for.`,
      { code: "script-exhausted", facts: { ...asked, replies: replies.length } },
    );
  }
  return reply;
}

function assetOf(script: Script, assetId: string | undefined): AssetScript {
  const { replies } = script;
  if (replies.kind === "every") return replies.asset;
  const assets = replies.kind === "per-asset" ? replies.assets : new Map<string, AssetScript>();
  const asset = assetId === undefined ? undefined : assets.get(assetId);
  if (asset !== undefined) return asset;
  const known = [...assets.keys()];
  throw new RunnerError(
    `${script.fileName} has no replies for asset "${assetId ?? "?"}"; it has: ${known.join(", ")}.`,
    {
      code: "script-asset-missing",
      facts: { file: script.fileName, asset: assetId ?? null, assets: known },
    },
  );
}

function listFor(asset: AssetScript, request: AskRequest): readonly ScriptedReply[] | undefined {
  if (request.role === "creator") return asset.creator;
  if (request.role === "analyst") return asset.analyst;
  if (request.role === "user") return asset.user;
  const label = taskText(request.task, "reviewer");
  const own = label === undefined ? undefined : asset.reviewers.get(label);
  return own ?? (label !== undefined || request.role === "reviewer" ? asset.reviewer : undefined);
}

function taskText(task: Json, name: string): string | undefined {
  if (typeof task !== "object" || task === null || Array.isArray(task)) return undefined;
  const value = (task as { readonly [name: string]: Json })[name];
  return typeof value === "string" ? value : undefined;
}

function changesFiles(script: Script): boolean {
  const { replies } = script;
  if (replies.kind === "reviews") return false;
  const assets = replies.kind === "every" ? [replies.asset] : [...replies.assets.values()];
  return assets
    .flatMap((asset) => [asset.creator ?? [], asset.reviewer ?? [], ...asset.reviewers.values()])
    .some((list) => list.some((reply) => reply.files.size > 0));
}
