import { checkAssetId } from "../../domain/episodes/asset.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import {
  isOtherText,
  pickableTexts,
  pickCandidate,
} from "../../orchestration/episodes/choose-text.ts";
import type { AssetDetail } from "../../orchestration/episodes/load-asset.ts";
import { episodeProject, type OpenedWorkspace } from "../../wiring/features/episode-workspace.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { ownReason } from "../shell/own-words.ts";
import { printErr, printResult } from "../shell/print.ts";
import { caution } from "../shell/styles.ts";
import { withProject } from "../shell/with-project.ts";
import { type WorkspaceFlags, workspaceFor } from "./episode-setup.ts";
import { choiceLines, choicesOf, choicesToJson, previewOf } from "./render-choices.ts";
import { nextLine, typedHere } from "./typed-here.ts";

export interface PickFlags extends WorkspaceFlags {
  readonly assetId?: string;
  readonly candidateId?: string;
  readonly reason?: string;
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
  const at = clockOf(cli.environment).now();
  const texts = await pickableTexts(workspace.folder, at, assetId);
  if (texts.length === 0) throw nothingToPick(assetId);
  if (candidateId === undefined && !canAsk(cli, flags)) {
    return listChoices(cli, flags, { workspace, texts, at });
  }
  const choose =
    candidateId === undefined
      ? await asking(cli, flags, at)
      : (text: AssetDetail) => chosenWith(cli, flags, { text, chosen: candidateId.toLowerCase() });
  await pickAll(cli, flags, { workspace, texts, at, choose });
}

type Choose = (text: AssetDetail) => Promise<Choice | "stop" | undefined>;

interface Pickable {
  readonly workspace: OpenedWorkspace;
  readonly texts: readonly AssetDetail[];
  readonly at: Instant;
}

/** Each choice is kept before the next is asked for. */
async function pickAll(
  cli: CliContext,
  flags: PickFlags,
  { workspace, texts, at, choose }: Pickable & { readonly choose: Choose },
): Promise<void> {
  const { folder, root } = workspace;
  const { by } = await authorOf({ ...cli, cwd: folder.root }, flags);
  const picked: Choice[] = [];
  const files: string[] = [];
  const edited: string[] = [];
  await withProject(cli, { root, flags, runsNothing: true }, async ({ project }) => {
    for (const text of texts) {
      const choice = await choose(text);
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
  const typed = await typedHere(cli, workspace);
  const json = picked.map((one) => ({ asset_id: one.assetId, candidate_id: one.candidateId }));
  const said = files.length === 0 ? "Nothing was picked." : `Selected: ${files.join(", ")}`;
  printResult(cli, flags, { picked: json, by, files, edited }, [
    said,
    ...edited.flatMap((id) => [
      caution(`The candidate of ${id} was edited after it was written, so the text is unsigned.`),
      nextLine(typed(`episode adopt --asset-id ${id}`)),
    ]),
  ]);
}

function canAsk({ screen }: CliContext, { json }: PickFlags): boolean {
  return screen.out.isTerminal && process.stdin.isTTY === true && json !== true;
}

/** Without a terminal to ask on: every text in full, with the command that picks it. */
async function listChoices(
  cli: CliContext,
  flags: PickFlags,
  { workspace, texts, at }: Pickable,
): Promise<void> {
  const typed = await typedHere(cli, workspace);
  const { palette } = cli.layoutOf(cli.screen.out);
  printResult(
    cli,
    flags,
    { picked: [], texts: texts.map(choicesToJson) },
    texts.flatMap((text) => choiceLines(text, { now: at, palette, typed })),
  );
}

/** Shows every text in full and asks on the terminal, text by text. */
async function asking(cli: CliContext, flags: PickFlags, now: Instant): Promise<Choose> {
  const { isCancel, select } = await import("@clack/prompts");
  return async (text) => {
    const { assetId } = text;
    const { palette } = cli.layoutOf(cli.screen.err);
    printErr(cli, choiceLines(text, { now, palette }));
    const chosen = await select({
      message: `${assetId}: which text?`,
      options: [
        ...choicesOf(text).map(({ candidateId, content, number, isSelected }) => ({
          value: candidateId,
          label: `[${number}] ${previewOf(content)}`,
          hint: isSelected ? "selected" : "",
        })),
        { value: "", label: "none of them" },
      ],
      ...defined({ initialValue: choicesOf(text).find((one) => one.isSelected)?.candidateId }),
    });
    if (isCancel(chosen)) {
      cli.end(exitCode.interrupted);
      return "stop";
    }
    if (chosen === "") return undefined;
    return chosenWith(cli, flags, { text, chosen });
  };
}

/** The choice, with the reason that a locked text asks for. */
async function chosenWith(
  cli: CliContext,
  flags: PickFlags,
  { text, chosen }: { readonly text: AssetDetail; readonly chosen: string },
): Promise<Choice> {
  const { assetId, selection, isTextLocked } = text;
  const candidate = text.candidates.find(({ candidateId }) => candidateId === chosen);
  const replaces = candidate !== undefined && isOtherText(candidate, selection);
  const choice = { assetId, candidateId: chosen };
  if (!isLockedKind(assetId) || !isTextLocked || !replaces) {
    return { ...choice, ...defined({ reason: flags.reason }) };
  }
  const question = `${assetId} is locked. Why should it change?`;
  return { ...choice, reason: await ownReason(cli, flags, question) };
}

function nothingToPick(assetId: string | undefined): ConfigurationError {
  const of = assetId === undefined ? "" : ` of ${assetId}`;
  return new ConfigurationError(`There are no candidates${of} to choose from.`, {
    code: "candidates-missing",
    hint: "Write some with `signoff episode draft`.",
  });
}
