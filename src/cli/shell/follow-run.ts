import { sessionToJson } from "../../contract/http/draft-session.ts";
import { commandErrorToJson } from "../../contract/http/problem.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import { loadSession } from "../../orchestration/drafting/load-session.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import { openProject, type Project, type ProjectSettings } from "../../wiring/project/project.ts";
import { systemClock } from "../../wiring/project/system-clock.ts";
import type { OpenTelemetry } from "../../wiring/project/telemetry.ts";
import { renderClosing } from "../draft/draft-closing.ts";
import { DraftDisplay } from "../draft/draft-display.ts";
import type { Verbosity } from "../draft/draft-turn.ts";
import type { CliContext } from "./cli-context.ts";
import { telemetryFor } from "./cli-telemetry.ts";
import { storedErrorDocument } from "./error-document.ts";
import { exitCodeOfEnding } from "./exit-code.ts";
import { layOut } from "./lay-out.ts";
import { printJson } from "./print-json.ts";
import { renderStoredError } from "./render-error.ts";
import { printLines, type Sink } from "./screen.ts";
import { showCause } from "./show-cause.ts";

export interface FollowFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export interface Follow {
  readonly project: Omit<ProjectSettings, "environment" | "observer">;
  readonly flags: FollowFlags;
  /** Starts or resumes the run. */
  start(project: Project, say: (text: string) => void): Promise<RunId>;
  /** Where the last words go; the standard output unless something else is printed there. */
  readonly closingTo?: Sink;
  /** Saves the session elsewhere too, before anything is said about it. */
  save?(session: DraftSession): Promise<void>;
}

/** Works on one drafting run in this process until it ends, shows it, and says how it ended. */
export async function followRun(cli: CliContext, follow: Follow): Promise<void> {
  await workInProject(cli, follow, async ({ project, telemetry, say, seen }) => {
    const run = await follow.start(project, say);
    await project.engine.ending(run, new AbortController().signal);
    const session = await conclude(cli, { follow, project, run, replayed: seen() });
    if (session !== undefined) telemetry.completed(session);
  });
}

/** A project at work, as long as the command's work lasts. */
export interface Work {
  readonly project: Project;
  readonly telemetry: OpenTelemetry["telemetry"];
  readonly say: (text: string) => void;
  /** Closes the display; returns how many replies came from the record. */
  readonly seen: () => number;
}

/** Opens the project, shows its loops while they run, and lets Ctrl-C end them so that they can be resumed. */
export async function workInProject(
  cli: CliContext,
  about: Pick<Follow, "project" | "flags"> & {
    /** Instead of the display of a loop. */
    readonly observer?: Observer;
    readonly readEvent?: typeof readDraftEvent;
  },
  work: (at: Work) => Promise<void>,
): Promise<void> {
  const { project: settings, flags } = about;
  const display = createDisplay(cli, flags, about.readEvent ?? readDraftEvent);
  const { environment } = cli;
  const access = await accessFor(cli, about);
  const { telemetry, close } = await telemetryFor(cli, settings.root, access.loaded.redactor);
  const causes: Observer = { notice: (happening) => showCause(cli, happening) };
  const counter = new ReplayCounter([about.observer ?? display, telemetry, causes]);
  const project = openProject({ ...settings, ...access, environment, observer: counter });
  const say = (text: string): void => {
    if (flags.quiet === true || flags.json === true) return;
    const layout = cli.layoutOf(cli.screen.err);
    printLines(cli.screen.err, layOut([{ text, style: "muted" }], layout));
  };
  const listening = cli.onInterrupt((time) => {
    display.close();
    say(time === 1 ? finishing : "Stopping now.");
    project.engine.interrupt(time === 1 ? "finish" : "now");
  });
  const seen = (): number => {
    display.close();
    return counter.replayed;
  };
  try {
    await work({ project, telemetry, say, seen });
    await project.engine.idle();
  } finally {
    listening();
    display.close();
    project.close();
    await close();
  }
}

/** A command that goes on with a run brings no settings of its own: those of the project hold. */
async function accessFor(cli: CliContext, { project, flags }: Pick<Follow, "project" | "flags">) {
  const { root, loaded, named } = project;
  if (loaded !== undefined) return { loaded, ...defined({ named }) };
  const quiet = flags.quiet === true || flags.json === true;
  const { settingsFor } = await import("./cli-settings.ts");
  return { loaded: await settingsFor(cli, { root, quiet }), named: "any" as const };
}

const finishing =
  "Interrupted: the call in flight is being recorded, since it is paid for. Press Ctrl-C again to give it up.";

async function conclude(
  cli: CliContext,
  ended: {
    readonly follow: Follow;
    readonly project: Project;
    readonly run: RunId;
    readonly replayed: number;
  },
): Promise<DraftSession | undefined> {
  const { follow, project, run, replayed } = ended;
  const { flags } = follow;
  const loaded = await loadSession(project.store, run);
  const ending = loaded?.record.ending;
  if (ending === undefined) return undefined;
  const isClosed = flags.json !== true && loaded?.session !== undefined;
  if (ending.kind === "failed" && !isClosed) {
    printLines(cli.screen.err, renderStoredError(ending.error, cli.layoutOf(cli.screen.err)));
  }
  cli.end(exitCodeOfEnding(ending, loaded?.session ?? {}));
  if (loaded?.session === undefined) {
    if (flags.json === true) printJson(cli.screen.out, unstartedDocument(run, ending));
    return undefined;
  }
  const { usage } = loaded.session;
  const session = {
    ...loaded.session,
    usage: { ...usage, replayed: Math.min(replayed, usage.calls) },
  };
  const unsaved = await problemOf(follow.save?.(session));
  if (flags.json === true) {
    printJson(cli.screen.out, sessionToJson(session));
  } else {
    const record = project.files.location(run);
    const closing = { session, ending, record, verbosity: verbosityOf(flags) };
    const sink = follow.closingTo ?? cli.screen.out;
    printLines(sink, ["", ...renderClosing(closing, cli.layoutOf(sink))]);
  }
  if (unsaved !== undefined) throw unsaved;
  return session;
}

/** A file that cannot be saved must not hide what it should have held. */
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

function createDisplay(
  cli: CliContext,
  flags: FollowFlags,
  readEvent: typeof readDraftEvent,
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

/** Counts the replies that came from the record, and passes everything on. */
class ReplayCounter implements Observer {
  readonly #next: readonly Observer[];
  replayed = 0;

  constructor(next: readonly Observer[]) {
    this.#next = next;
  }

  notice(happening: Happening): void {
    if (happening.kind === "call-replied" && happening.replayed) this.replayed += 1;
    for (const observer of this.#next) observer.notice(happening);
  }
}
