import { checkAssetId } from "../../domain/episodes/asset.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { assetStanding } from "../../orchestration/episodes/freeze-asset.ts";
import { loadState } from "../../orchestration/episodes/load-episode.ts";
import type { OpenedWorkspace } from "../../wiring/features/episode-workspace.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { readInputText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { workspaceFor } from "./episode-setup.ts";
import { type EpisodeReviewFlags, reviewCommand } from "./review-command.ts";

export interface EpisodeEditFlags extends Omit<EpisodeReviewFlags, "assetId"> {
  readonly assetId: string;
  readonly text?: string;
  readonly file?: string;
}

/**
 * Has a person's own text checked and reviewed like any other. The reviewer sees it first; the writer is asked only if
 * something must change.
 */
export async function editCommand(cli: CliContext, flags: EpisodeEditFlags): Promise<void> {
  const { assetId, text: given, file, reason = "a text of one's own", ...rest } = flags;
  checkAssetId(assetId);
  if (given !== undefined && file !== undefined)
    throw invalidFlag("Give --text or --file, not both.");
  const workspace = await workspaceFor(cli, flags);
  const text = (given ?? (await textOf(cli, workspace, { assetId, file }))).trim();
  if (text === "") {
    throw new ConfigurationError("The text is empty.", {
      code: "text-empty",
      facts: { asset: assetId },
    });
  }
  const { by } = await authorOf({ ...cli, cwd: workspace.folder.root }, flags);
  await reviewCommand(cli, { ...rest, assetId: [assetId] }, { text, by, reason });
}

/** The file named, else the selected text as it is now. */
async function textOf(
  cli: CliContext,
  { folder }: OpenedWorkspace,
  { assetId, file }: { readonly assetId: string; readonly file: string | undefined },
): Promise<string> {
  if (file !== undefined) return readInputText(cli.cwd, file);
  const { selection } = await assetStanding(folder, assetId, await loadState(folder));
  if (selection !== undefined) return selection.text;
  throw new ConfigurationError(`${assetId} has no selected text to review.`, {
    code: "nothing-selected",
    facts: { asset: assetId },
    hint: "Give the text with --file or --text; `--file -` reads it from standard input.",
  });
}

/** `signoff runs edit` for a loop of an episode. */
export function editLoop(
  cli: CliContext,
  loop: { readonly workspace: string; readonly assetId: string },
  flags: Omit<EpisodeEditFlags, "assetId">,
): Promise<void> {
  const { workspace, assetId } = loop;
  return editCommand(cli, { ...flags, ...defined({ workspace }), assetId });
}
