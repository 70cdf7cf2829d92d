import type { Standing } from "../../domain/evidence/standing.ts";
import { verifyNotes } from "../../orchestration/gates/verify-notes.ts";
import { nonceInRun, notesToolsOf } from "../../wiring/features/notes.ts";
import type { Project } from "../../wiring/project/project.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { notesSession } from "./notes-context.ts";

/** Every note × gate that was reviewed, derived from its evidence. */
export async function verifyNotesOf(
  cli: CliContext,
  project: Project,
  isWanted: (name: string) => boolean,
): Promise<readonly Standing[]> {
  const { root, loaded } = await notesSession(cli, { quiet: true });
  const { environment } = cli;
  const tools = await notesToolsOf(project, { root, environment, settings: loaded.settings });
  return verifyNotes(tools, { runs: project.store.runs, nonceInRun }, isWanted);
}
