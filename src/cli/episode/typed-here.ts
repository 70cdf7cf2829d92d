import { relative } from "node:path";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { Workspace } from "../../orchestration/episodes/freeze-asset.ts";
import { typedFor, workspaceFlag } from "../../wiring/features/episode-workspace.ts";
import type { CliContext } from "../shell/cli-context.ts";
import type { Line } from "../shell/lay-out.ts";
import { accent, muted } from "../shell/styles.ts";

/** Turns a command, without the program's name, into one that works unchanged in the user's folder. */
export type TypedHere = (command: string) => string;

export async function typedHere(cli: CliContext, workspace: Workspace): Promise<TypedHere> {
  const flag = await workspaceFlag(cli.cwd, workspace);
  const place = shellWord(relative(cli.cwd, workspace.folder.root) || ".");
  return typedFor(place, flag);
}

/** A command on a line of its own, never wrapped, so that it can be copied. */
export function commandLine(command: string, lead = "  "): Line {
  return { lead: [lead], spans: [accent(command)], isWhole: true };
}

export function nextLine(command: string): Line {
  return { lead: [muted("Next: ")], spans: [accent(command)], isWhole: true };
}
