import { defined } from "../../domain/values/defined.ts";
import type { WritingTools } from "../../orchestration/gates/notes-tools.ts";
import type { ReviewEngine } from "../../orchestration/gates/review-runs.ts";
import { notesToolsOf, reviewEngineOf } from "../../wiring/features/notes.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type OpenedProject, type ProjectOpening, withProject } from "../shell/with-project.ts";
import type { NotesSession } from "./notes-context.ts";

/** The project's notes while they are open. */
export interface OpenedNotes extends OpenedProject {
  readonly tools: WritingTools;
  readonly engine: ReviewEngine;
  /** Loads the notes again. */
  again(): Promise<WritingTools>;
}

export async function withNotes<T>(
  cli: CliContext,
  session: NotesSession,
  opening: Omit<ProjectOpening, "root" | "loaded">,
  work: (notes: OpenedNotes) => Promise<T>,
): Promise<T> {
  const { environment } = cli;
  const { root, loaded } = session;
  return withProject(cli, { ...opening, root, loaded }, async (opened) => {
    const { project, log } = opened;
    const trace: WritingTools["trace"] = log && ((step, facts) => log("debug", step, facts));
    // Other log levels do not need the trace.
    const traced = cli.globals().logLevel === "debug" ? defined({ trace }) : {};
    const again = () =>
      notesToolsOf(project, { root, environment, settings: loaded.settings, ...traced });
    return work({ ...opened, tools: await again(), engine: reviewEngineOf(project), again });
  });
}

/** For commands that change the record and call no model. */
export function changeNotes<T>(
  cli: CliContext,
  session: NotesSession,
  work: (notes: OpenedNotes) => Promise<T>,
): Promise<T> {
  return withNotes(cli, session, { flags: {}, runsNothing: true }, work);
}
