import { typedCommand } from "../../domain/episodes/typed-command.ts";
import type { Workspace } from "../../orchestration/episodes/freeze-asset.ts";
import { workspaceToName } from "../../wiring/features/episode-workspace.ts";
import type { CliContext } from "../shell/cli-context.ts";
import type { Line } from "../shell/lay-out.ts";
import { accent, muted } from "../shell/styles.ts";

/** Turns a command, without the program's name, into one that works unchanged in the user's folder. */
export type TypedHere = (command: string) => string;

export async function typedHere(cli: CliContext, workspace: Workspace): Promise<TypedHere> {
  const place = await workspaceToName(cli.cwd, workspace);
  return (command) => typedCommand(command, place);
}

/** A command on a line of its own, never wrapped, so that it can be copied. */
export function commandLine(command: string, lead = "  "): Line {
  return { lead: [lead], spans: [accent(command)], isWhole: true };
}

export function nextLine(command: string): Line {
  return { lead: [muted("Next: ")], spans: [accent(command)], isWhole: true };
}
