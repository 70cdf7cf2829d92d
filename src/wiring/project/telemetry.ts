import { join } from "node:path";
import { type LogLine, openJsonLog } from "../../adapters/telemetry/json-log.ts";
import { WorkflowTelemetry } from "../../adapters/telemetry/workflow-telemetry.ts";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import type { Redactor } from "../../domain/settings/redactor.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { LogLevel } from "../settings/log-levels.ts";

export interface TelemetryAsked {
  readonly root: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
  readonly metricsFile?: string;
}

export interface OpenTelemetry {
  readonly telemetry: WorkflowTelemetry;
  /** Where a log was asked for. */
  readonly log?: LogLine;
  /** Writes what is only known at the end. */
  close(): Promise<void>;
}

const unmeasured: Metrics = { count: () => undefined, observe: () => undefined };

/** Log and metrics of one invocation; a name of a file alone is wish enough to write it. */
export async function openTelemetry(asked: TelemetryAsked): Promise<OpenTelemetry> {
  const { root, clock, redactor, logFile, metricsFile } = asked;
  const level = asked.logLevel ?? (logFile === undefined ? "silent" : "info");
  const path = logFile ?? join(root, ".signoff", "signoff.log");
  const log = level === "silent" ? {} : { log: openJsonLog({ path, level, clock, redactor }) };
  if (metricsFile === undefined) {
    const telemetry = new WorkflowTelemetry({ ...log, metrics: unmeasured });
    return { telemetry, ...log, close: async () => undefined };
  }
  const { createPrometheusMetrics } = await import(
    "../../adapters/telemetry/prometheus-metrics.ts"
  );
  const metrics = createPrometheusMetrics();
  return {
    telemetry: new WorkflowTelemetry({ ...log, metrics }),
    ...log,
    close: async () => {
      await writeFilesAtomically([{ path: metricsFile, content: await metrics.text() }]);
    },
  };
}
