import { relative } from "node:path";
import { type Asset, checkAssetId } from "../../domain/episodes/asset.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import {
  adoptText,
  pickableAssets,
  pickCandidate,
} from "../../orchestration/episodes/choose-text.ts";
import { unlockAsset } from "../../orchestration/episodes/rule-on-asset.ts";
import { episodeProject } from "../../wiring/features/episode-workspace.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { printResult } from "../shell/print.ts";
import { caution, muted } from "../shell/styles.ts";
import { withProject } from "../shell/with-project.ts";
import { type WorkspaceFlags, workspaceFor } from "./episode-setup.ts";

export interface PickFlags extends WorkspaceFlags {
  readonly assetId?: string;
  readonly candidateId?: string;
  readonly reason?: string;
  readonly by?: string;
}

/** Of `unlock` and `adopt`. */
export interface ActFlags extends WorkspaceFlags {
  readonly assetId: string;
  readonly reason: string;
  readonly by?: string;
}

interface Choice {
  readonly assetId: string;
  readonly candidateId: string;
  readonly reason?: string;
}

export async function pickCommand(cli: CliContext, flags: PickFlags): Promise<void> {
  const { assetId, candidateId } = flags;
  if (candidateId !== undefined && assetId === undefined) {
    throw invalidFlag("--candidate-id needs --asset-id.");
  }
  if (assetId !== undefined) checkAssetId(assetId);
  const workspace = await workspaceFor(cli, flags);
  const { folder, root } = workspace;
  const at = clockOf(cli.environment).now();
  const assets = (await pickableAssets(folder, at)).filter(
    (asset) => assetId === undefined || asset.assetId === assetId,
  );
  if (assets.length === 0) throw nothingToPick(assetId);
  const { by } = await authorOf({ ...cli, cwd: folder.root }, flags);
  const choose = candidateId === undefined ? await asking(cli, flags) : given(flags, candidateId);
  const picked: Choice[] = [];
  const files: string[] = [];
  const edited: string[] = [];
  await withProject(cli, { root, flags, runsNothing: true }, async ({ project }) => {
    for (const asset of assets) {
      const choice = await choose(asset);
      if (choice === "stop") break;
      if (choice === undefined) continue;
      const { reason } = choice;
      const ruling = { by, at, ...defined({ reason }) };
      const done = await pickCandidate(episodeProject(project), workspace, { ...choice, ruling });
      picked.push(choice);
      files.push(...done.files);
      if (done.isEdited) edited.push(choice.assetId);
    }
  });
  const json = picked.map((one) => ({ asset_id: one.assetId, candidate_id: one.candidateId }));
  const said = files.length === 0 ? "Nothing was picked." : `Selected: ${files.join(", ")}`;
  printResult(cli, flags, { picked: json, by, files, edited }, [
    said,
    ...edited.flatMap((id) => [
      caution(`The candidate of ${id} was edited after it was written, so the text is unsigned.`),
      muted(`Next: signoff episode adopt --asset-id ${id} --reason "…"`),
    ]),
  ]);
}

type Choose = (asset: Asset) => Promise<Choice | "stop" | undefined>;

function given({ reason }: PickFlags, candidateId: string): Choose {
  return async ({ assetId }) => ({
    assetId,
    candidateId: candidateId.toLowerCase(),
    ...defined({ reason }),
  });
}

/** Asks on a terminal, text by text; each choice is kept before the next is asked for. */
async function asking(cli: CliContext, flags: PickFlags): Promise<Choose> {
  const isTerminal = cli.screen.out.isTerminal && process.stdin.isTTY === true;
  if (!isTerminal || flags.json === true) {
    throw invalidFlag(
      "Without a terminal, say what to pick: --asset-id ASSET --candidate-id UUID.",
    );
  }
  const { isCancel, select, text } = await import("@clack/prompts");
  return async (asset) => {
    const { assetId, candidates, selectedCandidateId } = asset;
    const chosen = await select({
      message: `${assetId}: which text?`,
      options: [
        ...candidates.map(({ candidateId, content, format }) => ({
          value: candidateId,
          label: previewOf(content),
          hint: `${format}${candidateId === selectedCandidateId ? ", selected" : ""}`,
        })),
        { value: "", label: "none of them" },
      ],
      ...defined({ initialValue: selectedCandidateId }),
    });
    if (isCancel(chosen)) {
      cli.end(exitCode.interrupted);
      return "stop";
    }
    if (chosen === "") return undefined;
    const { reason } = flags;
    const replaces = selectedCandidateId !== undefined && chosen !== selectedCandidateId;
    if (!isLockedKind(assetId) || !replaces || reason !== undefined) {
      return { assetId, candidateId: chosen, ...defined({ reason }) };
    }
    const why = await text({
      message: `${assetId} is locked. Why should it change?`,
      validate: (words) => ((words ?? "").trim() === "" ? "A reason is needed." : undefined),
    });
    if (isCancel(why)) return undefined;
    return { assetId, candidateId: chosen, reason: why };
  };
}

/** Takes the selected text as one's own: edited by hand, or chosen when the inputs were others. */
export async function adoptCommand(cli: CliContext, flags: ActFlags): Promise<void> {
  const { assetId, reason } = flags;
  const { by, done } = await actOnText(cli, flags, adoptText);
  const { candidateId, files } = done;
  const json = { asset_id: assetId, candidate_id: candidateId, by, reason, files };
  printResult(cli, flags, json, `${assetId} is now a text of ${by}: ${files.join(", ")}`);
}

export async function unlockCommand(cli: CliContext, flags: ActFlags): Promise<void> {
  const { assetId, reason } = flags;
  const { by, folder } = await actOnText(cli, flags, unlockAsset);
  const shown = relative(cli.cwd, folder.root) || ".";
  printResult(cli, flags, { asset_id: assetId, by, reason, workspace: shown }, [
    `${assetId} is unlocked.`,
    muted(`Next: signoff episode review --asset-id ${assetId}`),
  ]);
}

/** A person's act on one text, with its reason. */
async function actOnText<T>(
  cli: CliContext,
  flags: ActFlags,
  act: (
    project: ReturnType<typeof episodeProject>,
    workspace: Awaited<ReturnType<typeof workspaceFor>>,
    about: Parameters<typeof adoptText>[2],
  ) => Promise<T>,
) {
  const { assetId, reason } = flags;
  checkAssetId(assetId);
  if (reason.trim() === "") throw invalidFlag("--reason must not be empty.");
  const workspace = await workspaceFor(cli, flags);
  const { folder, root } = workspace;
  const { by } = await authorOf({ ...cli, cwd: folder.root }, flags);
  const done = await withProject(cli, { root, flags, runsNothing: true }, ({ project }) => {
    const ruling = { by, at: project.clock.now(), reason };
    return act(episodeProject(project), workspace, { assetId, ruling });
  });
  return { by, done, folder };
}

function previewOf(content: string): string {
  const line = content
    .split("\n")
    .map((one) => one.replace(/^#+\s*/, "").trim())
    .find((one) => one !== "");
  return line === undefined ? "(empty)" : [...line].slice(0, 72).join("");
}

function nothingToPick(assetId: string | undefined): ConfigurationError {
  const of = assetId === undefined ? "" : ` of ${assetId}`;
  return new ConfigurationError(`There are no candidates${of} to choose from.`, {
    code: "candidates-missing",
    hint: "Write some with `signoff episode draft`.",
  });
}
