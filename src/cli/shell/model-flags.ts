import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { defined } from "../../domain/values/defined.ts";
import { modelInProject } from "../../wiring/features/prepare-draft.ts";
import type { CliContext } from "./cli-context.ts";

export interface ModelFlags {
  readonly model?: string;
  readonly reviewerModel?: string;
  /** Gives the replies of both roles. */
  readonly script?: string;
}

/** The models that a command line names. Script files are named from the working directory. */
export function modelFlags(
  { cwd }: CliContext,
  root: string,
  { model, reviewerModel, script }: ModelFlags,
): Pick<SettingFlags, "model" | "reviewerModel"> {
  const here = (named: string | undefined) => named && modelInProject(named, root, cwd);
  if (script === undefined) {
    return defined({ model: here(model), reviewerModel: here(reviewerModel) });
  }
  const replies = modelInProject(`script:${script}`, root, cwd);
  return { model: replies, reviewerModel: replies };
}
