import { join } from "node:path";
import { type LogLine, openJsonLog } from "../../adapters/telemetry/json-log.ts";
import type { PrometheusMetrics } from "../../adapters/telemetry/prometheus-metrics.ts";
import { RunTelemetry, type TelemetryParts } from "../../adapters/telemetry/run-telemetry.ts";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import type { Redactor } from "../../domain/settings/redactor.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Observer } from "../../ports/observer.ts";
import type { LogLevel } from "../settings/log-levels.ts";

export interface TelemetryFiles {
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
  readonly metricsFile?: string;
}

export interface TelemetryAsked extends TelemetryFiles, Pick<TelemetryParts, "sessionOf"> {
  readonly root: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

export interface Telemetry extends Observer {
  /** Absent: no log is written. */
  readonly log?: LogLine;
  /** Resolves when every run that ended is counted; the store must be open until then. */
  settled(): Promise<void>;
  /** Writes the metrics, which are complete only at the end. */
  close(): Promise<void>;
}

/** Log and metrics of one invocation; naming a file is enough to have it written. */
export async function openTelemetry(asked: TelemetryAsked): Promise<Telemetry> {
  if (asked.metricsFile === undefined) return createTelemetry(asked);
  const { createPrometheusMetrics } = await import(
    "../../adapters/telemetry/prometheus-metrics.ts"
  );
  return createTelemetry(asked, createPrometheusMetrics());
}

export function createTelemetry(asked: TelemetryAsked, metrics?: PrometheusMetrics): Telemetry {
  const { root, clock, redactor, logFile, metricsFile, sessionOf } = asked;
  const level = asked.logLevel ?? (logFile === undefined ? "silent" : "info");
  const path = logFile ?? join(root, ".signoff", "signoff.log");
  const log = level === "silent" ? undefined : openJsonLog({ path, level, clock, redactor });
  const telemetry = new RunTelemetry({ sessionOf, ...defined({ log, metrics }) });
  return {
    ...defined({ log }),
    notice: (happening) => telemetry.notice(happening),
    settled: () => telemetry.settled(),
    async close() {
      if (metrics === undefined || metricsFile === undefined) return;
      await writeFilesAtomically([{ path: metricsFile, content: await metrics.text() }]);
    },
  };
}
