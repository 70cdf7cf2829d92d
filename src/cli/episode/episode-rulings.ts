import { relative } from "node:path";
import { checkAssetId } from "../../domain/episodes/asset.ts";
import { adoptText } from "../../orchestration/episodes/choose-text.ts";
import { unlockAsset } from "../../orchestration/episodes/rule-on-asset.ts";
import { episodeProject } from "../../wiring/features/episode-workspace.ts";
import { authorOf } from "../../wiring/project/author.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { ownReason } from "../shell/own-words.ts";
import { printResult } from "../shell/print.ts";
import { withProject } from "../shell/with-project.ts";
import { type WorkspaceFlags, workspaceFor } from "./episode-setup.ts";
import { nextLine, typedHere } from "./typed-here.ts";

/** Of `unlock` and `adopt`. */
export interface ActFlags extends WorkspaceFlags {
  readonly assetId: string;
  readonly reason?: string;
  readonly by?: string;
}

/** Takes the selected text as one's own: edited by hand, or chosen when the inputs were others. */
export async function adoptCommand(cli: CliContext, flags: ActFlags): Promise<void> {
  const { assetId } = flags;
  const question = `Why do you take this text of ${assetId} as yours?`;
  const { by, reason, done, workspace } = await actOnText(cli, flags, {
    ...{ question, act: adoptText },
  });
  const { candidateId, files } = done;
  const json = { asset_id: assetId, candidate_id: candidateId, by, reason, files };
  const typed = await typedHere(cli, workspace);
  printResult(cli, flags, json, [
    `${assetId} is now a text of ${by}: ${files.join(", ")}`,
    "Nobody has reviewed it. To have it reviewed like any other text:",
    nextLine(typed(`episode edit --asset-id ${assetId}`)),
  ]);
}

export async function unlockCommand(cli: CliContext, flags: ActFlags): Promise<void> {
  const { assetId } = flags;
  const question = `Why may ${assetId} be changed again?`;
  const { by, reason, workspace } = await actOnText(cli, flags, { question, act: unlockAsset });
  const shown = relative(cli.cwd, workspace.folder.root) || ".";
  const typed = await typedHere(cli, workspace);
  printResult(cli, flags, { asset_id: assetId, by, reason, workspace: shown }, [
    `${assetId} is unlocked.`,
    nextLine(typed(`episode review --asset-id ${assetId}`)),
  ]);
}

/** A person's act on one text, with its reason. */
async function actOnText<T>(cli: CliContext, flags: ActFlags, { question, act }: PersonsAct<T>) {
  const { assetId } = flags;
  checkAssetId(assetId);
  const workspace = await workspaceFor(cli, flags);
  const reason = await ownReason(cli, flags, question);
  const { folder, root } = workspace;
  const { by } = await authorOf({ ...cli, cwd: folder.root }, flags);
  const done = await withProject(cli, { root, flags, runsNothing: true }, ({ project }) => {
    const ruling = { by, at: project.clock.now(), reason };
    return act(episodeProject(project), workspace, { assetId, ruling });
  });
  return { by, reason, done, workspace };
}

interface PersonsAct<T> {
  readonly question: string;
  readonly act: (
    project: ReturnType<typeof episodeProject>,
    workspace: Awaited<ReturnType<typeof workspaceFor>>,
    about: Parameters<typeof adoptText>[2],
  ) => Promise<T>;
}
