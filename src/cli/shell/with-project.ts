import { resolve } from "node:path";
import { createRedactor } from "../../domain/settings/redactor.ts";
import { defined } from "../../domain/values/defined.ts";
import { loadSession } from "../../orchestration/drafting/load-session.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import { openProject, type Project, type ProjectSettings } from "../../wiring/project/project.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { Telemetry, TelemetryFiles } from "../../wiring/project/telemetry.ts";
import type { CliContext } from "./cli-context.ts";
import { printRemark } from "./print.ts";
import { isQuiet, type QuietFlags } from "./quiet-flags.ts";
import { renderCause } from "./render-error.ts";
import { printLines } from "./screen.ts";

export interface ProjectOpening extends Omit<ProjectSettings, "environment" | "observer"> {
  readonly flags: QuietFlags;
  /** Shows progress; closed before anything else is printed. */
  readonly display?: Observer & { close?(): void };
  /** Printed at the first Ctrl-C. */
  readonly finishing?: string;
  /** The command only changes the record: it needs no settings, and Ctrl-C ends it at once. */
  readonly runsNothing?: true;
}

/** A project that is open while the command works. */
export interface OpenedProject {
  readonly project: Project;
  /** Present if a log was requested. */
  readonly log?: NonNullable<Telemetry["log"]>;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Prints a line beside the result, unless nothing but the result is wanted. */
  say(text: string): void;
  closeDisplay(): void;
}

/**
 * Wraps every command that works in a project: settings and trust, the store, log and metrics, Ctrl-C,
 * and with `--debug` the cause of a failure.
 */
export async function withProject<T>(
  cli: CliContext,
  opening: ProjectOpening,
  work: (opened: OpenedProject) => Promise<T>,
): Promise<T> {
  const { flags, display, finishing = callInFlight, runsNothing, ...settings } = opening;
  const { environment } = cli;
  const { root } = settings;
  const access = await accessOf(cli, opening);
  const { openTelemetry } = await import("../../wiring/project/telemetry.ts");
  const telemetry = await openTelemetry({
    ...{ root, clock: clockOf(environment), ...telemetryFiles(cli) },
    redactor: access.loaded?.redactor ?? createRedactor([]),
    sessionOf: async (run) => (await loadSession(project.store, run))?.session,
  });
  const say = (text: string): void => {
    if (!isQuiet(flags)) printRemark(cli, text);
  };
  const notice = (happening: Happening): void => {
    display?.notice(happening);
    telemetry.notice(happening);
    showCause(cli, happening);
  };
  const project = await openProject({
    ...{ ...settings, ...access, environment, observer: { notice } },
    report: say,
  });
  const closeDisplay = (): void => display?.close?.();
  const interrupted = new AbortController();
  const onInterrupt = (time: number): void => {
    closeDisplay();
    if (time > 1) say("Stopping now.");
    else if (project.home === undefined || project.engine.executesAny) say(finishing);
    interrupted.abort();
    project.engine.interrupt(time === 1 ? "finish" : "now");
  };
  const stopListening = runsNothing === true ? () => undefined : cli.onInterrupt(onInterrupt);
  const { log } = telemetry;
  const { signal } = interrupted;
  try {
    const result = await work({ project, signal, say, closeDisplay, ...defined({ log }) });
    await project.engine.idle();
    return result;
  } finally {
    stopListening();
    closeDisplay();
    await telemetry.settled();
    await project.close();
    await telemetry.close();
  }
}

const callInFlight =
  "Interrupted: the call in flight is being recorded, since it is paid for. Press Ctrl-C again to abandon it.";

/** A command that resumes a run brings no settings; those of the project apply. */
async function accessOf(
  cli: CliContext,
  { root, loaded, flags, runsNothing }: ProjectOpening,
): Promise<Pick<ProjectSettings, "loaded">> {
  if (loaded !== undefined) return { loaded };
  if (runsNothing === true) return {};
  const { settingsFor } = await import("./cli-settings.ts");
  return { loaded: await settingsFor(cli, { root, quiet: isQuiet(flags) }) };
}

/** The log and metrics files that the global options name. */
export function telemetryFiles(cli: CliContext): TelemetryFiles {
  const { logLevel, logFile, metricsFile } = cli.globals();
  const here = (file: string | undefined) => (file ? resolve(cli.cwd, file) : undefined);
  return defined({ logLevel, logFile: here(logFile), metricsFile: here(metricsFile) });
}

/** With `--debug`, where the error of a run comes from: the run itself keeps only the message. */
function showCause(cli: CliContext, happening: Happening): void {
  if (happening.kind !== "run-ended" || happening.cause === undefined || !cli.debug()) return;
  const { err } = cli.screen;
  printLines(err, renderCause(happening.cause, cli.layoutOf(err)));
}
