import { defined } from "../../domain/values/defined.ts";
import { type ListedWorker, listDatabaseWorkers } from "../../wiring/cluster/list-workers.ts";
import { openWorker } from "../../wiring/cluster/open-worker.ts";
import { databaseUrlOf, schemaOf } from "../../wiring/project/project-id.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { type JsonFlags, printRemark, printResult, rootOf } from "../shell/print.ts";
import { telemetryFiles } from "../shell/with-project.ts";

export interface WorkerFlags extends JsonFlags {
  readonly concurrency?: number;
  readonly name?: string;
  readonly project?: readonly string[];
  readonly healthPort?: number;
}

const usualConcurrency = 10;

/** Works until it is stopped. The first Ctrl-C waits for calls in flight; the second abandons them. */
export async function runWorker(cli: CliContext, flags: WorkerFlags): Promise<void> {
  const root = rootOf(cli);
  const url = databaseUrlOf(cli.environment);
  const concurrency = flags.concurrency ?? usualConcurrency;
  const loaded = await settingsFor(cli, { root });
  const worker = await openWorker({
    ...{ root, environment: cli.environment, loaded, url, concurrency },
    ...defined({ name: flags.name, healthPort: flags.healthPort }),
    ...defined({ projects: flags.project?.map(schemaOf) }),
    telemetry: telemetryFiles(cli),
    report: (sentence) => printRemark(cli, sentence),
  });
  const stopListening = cli.onInterrupt((time) => {
    printRemark(cli, time === 1 ? draining : "Stopping now.");
    void worker.drain(time === 1 ? "finish" : "now");
  });
  try {
    const takes = `Worker ${worker.name} takes ${renderCount(concurrency, "run")} at once. Ctrl-C drains it.`;
    await worker.work(() => {
      for (const sentence of [takes, ...worker.lacks]) printRemark(cli, sentence);
    });
  } finally {
    stopListening();
  }
  printResult(cli, flags, { name: worker.name }, "Drained: nothing is left here.");
}

const draining =
  "Draining: calls in flight are being recorded, everything else is handed back. Press Ctrl-C again to abandon them.";

export async function showWorkers(cli: CliContext, flags: JsonFlags): Promise<void> {
  const workers = await listDatabaseWorkers(databaseUrlOf(cli.environment));
  const json = workers.map(
    ({ startedAt, silentSeconds, isAlive, isDraining, runs, ...worker }) => ({
      ...worker,
      runs: runs.map((run) => ({ ...run })),
      tasks: [...worker.tasks],
      projects: worker.projects === undefined ? null : [...worker.projects],
      is_alive: isAlive,
      is_draining: isDraining,
      started_at: startedAt.toISOString(),
      silent_seconds: Math.round(silentSeconds),
    }),
  );
  const lines = workers.map(
    ({
      name,
      host,
      pid,
      version,
      runs,
      concurrency,
      isAlive,
      isDraining,
      silentSeconds,
      projects,
    }) =>
      [
        `${name}: ${runs.length} of ${renderCount(concurrency, "run")}${whatOf(runs)}`,
        `version ${version}, process ${pid} on ${host}`,
        ...(projects === undefined ? [] : [`only ${projects.join(", ")}`]),
        ...(isDraining ? ["draining"] : []),
        ...(isAlive ? [] : ["gone"]),
        ...(silentSeconds > 10 ? [`silent for ${Math.round(silentSeconds)} s`] : []),
      ].join(", "),
  );
  if (!workers.some(({ isAlive }) => isAlive)) lines.push(none);
  printResult(cli, flags, json, lines);
}

/** The kinds of runs, and the first few by name. */
function whatOf(runs: ListedWorker["runs"]): string {
  if (runs.length === 0) return "";
  const shown = runs.slice(0, mostNamed).map(({ kind, run }) => `${kind} ${run}`);
  return ` (${[...shown, ...(runs.length > mostNamed ? ["…"] : [])].join(", ")})`;
}

const mostNamed = 3;

const none = "No worker is running. Start one with `signoff worker`.";
