import { relative, resolve } from "node:path";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import { commandErrorToJson } from "../../contract/http/problem.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import { loadSession } from "../../orchestration/drafting/load-session.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Project, ProjectSettings } from "../../wiring/project/project.ts";
import { realPath } from "../../wiring/project/project-root.ts";
import { kindOfPath } from "../../wiring/project/save-text.ts";
import { systemClock } from "../../wiring/project/system-clock.ts";
import { renderClosing } from "../draft/draft-closing.ts";
import { DraftDisplay } from "../draft/draft-display.ts";
import type { Verbosity } from "../draft/draft-turn.ts";
import type { CliContext } from "./cli-context.ts";
import { storedErrorDocument } from "./error-document.ts";
import { exitCode, exitCodeOfEnding } from "./exit-code.ts";
import { printFailure, printJson } from "./print.ts";
import type { QuietFlags } from "./quiet-flags.ts";
import { printLines, type Sink } from "./screen.ts";
import { type ProjectOpening, withProject } from "./with-project.ts";

export interface FollowFlags extends QuietFlags {
  readonly verbose?: boolean;
}

export interface Follow {
  readonly project: Omit<ProjectSettings, "environment" | "observer">;
  readonly flags: FollowFlags;
  /** Starts or resumes the run. */
  start(project: Project, say: (text: string) => void): Promise<RunId>;
  /** Nothing is kept, so nothing can be looked at or resumed later. */
  readonly isTrial?: true;
  /** Where the closing is printed; the standard output unless something else is printed there. */
  readonly closingTo?: Sink;
  /** Also saves the session to a file, before the closing is printed. */
  save?(session: DraftSession): Promise<void>;
}

/** Runs one draft in this process to the end, shows its progress, and reports how it ended. */
export async function followRun(cli: CliContext, follow: Follow): Promise<void> {
  const { flags } = follow;
  const loop = loopDisplay(cli, flags);
  let replayed = 0;
  const display: ProjectOpening["display"] = {
    notice: (happening) => {
      if (happening.kind === "call-replied" && happening.replayed) replayed += 1;
      loop.notice(happening);
    },
    close: () => loop.close(),
  };
  await withProject(cli, { ...follow.project, flags, display }, async (opened) => {
    const { project, say } = opened;
    const run = await follow.start(project, say);
    const ending = await project.engine.ending(run, new AbortController().signal);
    opened.closeDisplay();
    if (await isLeft(project, run, ending)) {
      say(`Run ${run} continues on the workers; the same command follows it again.`);
      cli.end(exitCode.interrupted);
      return;
    }
    await conclude(cli, { follow, project, run, replayed });
  });
}

/** Whether only this command was interrupted, and the run is executed elsewhere. */
async function isLeft(project: Project, run: RunId, ending: Ending): Promise<boolean> {
  if (ending.kind !== "stopped" || ending.reason !== "interrupted") return false;
  const record = await project.store.runs.load(run);
  return record?.task !== undefined && (record.state === "queued" || record.state === "running");
}

async function conclude(
  cli: CliContext,
  ended: {
    readonly follow: Follow;
    readonly project: Project;
    readonly run: RunId;
    readonly replayed: number;
  },
): Promise<void> {
  const { follow, project, run, replayed } = ended;
  const { flags } = follow;
  const loaded = await loadSession(project.store, run);
  const ending = loaded?.record.ending;
  if (ending === undefined) return;
  const isClosed = flags.json !== true && loaded?.session !== undefined;
  if (!isClosed) printFailure(cli, ending);
  cli.end(exitCodeOfEnding(ending, loaded?.session ?? {}));
  if (loaded?.session === undefined) {
    if (flags.json === true) printJson(cli, unstartedDocument(run, ending));
    return;
  }
  const { usage } = loaded.session;
  const session = {
    ...loaded.session,
    usage: { ...usage, replayed: Math.min(replayed, usage.calls) },
  };
  const unsaved = await problemOf(follow.save?.(session));
  if (flags.json === true) {
    printJson(cli, sessionToJson(session));
  } else {
    const folder = project.files.location(run);
    const path = resolve(realPath(project.root), folder);
    const record = kindOfPath(path) === undefined ? undefined : relative(realPath(cli.cwd), path);
    const { budget } = loaded.record;
    const closing = {
      ...{ session, ending, budget, verbosity: verbosityOf(flags) },
      ...defined({ record, isTrial: follow.isTrial }),
    };
    const sink = follow.closingTo ?? cli.screen.out;
    printLines(sink, ["", ...renderClosing(closing, cli.layoutOf(sink))]);
  }
  if (unsaved !== undefined) throw unsaved;
}

/** A file that cannot be saved must not prevent the result from being printed. */
async function problemOf(saving: Promise<void> | undefined): Promise<unknown> {
  try {
    await saving;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A run that ended before there was a session to print. */
function unstartedDocument(run: RunId, ending: Ending): Json {
  if (ending.kind === "failed") return storedErrorDocument(ending.error);
  return commandErrorToJson({
    code: ending.kind === "stopped" ? ending.reason : ending.kind,
    message: `Run ${run} is ${ending.kind}; nothing was written yet.`,
  });
}

/** Shows one loop while it runs. */
export function loopDisplay(
  cli: CliContext,
  flags: FollowFlags,
  readEvent: typeof readDraftEvent = readDraftEvent,
): DraftDisplay {
  const sink = cli.screen.err;
  return new DraftDisplay({
    sink,
    palette: cli.layoutOf(sink).palette,
    verbosity: flags.json === true ? "quiet" : verbosityOf(flags),
    millis: systemClock.monotonic,
    readEvent,
  });
}

function verbosityOf({ quiet, verbose }: FollowFlags): Verbosity {
  if (quiet === true) return "quiet";
  return verbose === true ? "verbose" : "normal";
}
