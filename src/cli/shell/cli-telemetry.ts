import { resolve } from "node:path";
import type { Redactor } from "../../domain/settings/redactor.ts";
import { defined } from "../../domain/values/defined.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "./cli-context.ts";

/** Log and metrics as the flags of every command ask for them. */
export async function telemetryFor(cli: CliContext, root: string, redactor: Redactor) {
  const { openTelemetry } = await import("../../wiring/project/telemetry.ts");
  const { logLevel, logFile, metricsFile } = cli.globals();
  return openTelemetry({
    root,
    redactor,
    clock: clockOf(cli.environment),
    ...defined({ logLevel }),
    ...(logFile === undefined ? {} : { logFile: resolve(cli.cwd, logFile) }),
    ...(metricsFile === undefined ? {} : { metricsFile: resolve(cli.cwd, metricsFile) }),
  });
}
