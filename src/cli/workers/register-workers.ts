import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { atLeastOneFlag, portFlag } from "../shell/flag-values.ts";
import type { WorkerFlags } from "./worker-action.ts";

/** `signoff worker` executes queued runs; `signoff workers` lists who does. */
export function registerWorkers(program: Command, cli: CliContext): void {
  program
    .command("worker")
    .description("execute the runs of a shared database on this machine, until stopped")
    .option("--concurrency <n>", "runs at once (default: 10)", atLeastOneFlag)
    .option("--name <name>", "what `signoff workers` calls it (default: the host's name)")
    .option("--project <id...>", "serve only these projects (default: every project)")
    .option("--health-port <n>", "serve /healthz, /livez and /metrics here", portFlag)
    .addHelpText("after", help)
    .action(async (flags: WorkerFlags) =>
      (await import("./worker-action.ts")).runWorker(cli, flags),
    );
  program
    .command("workers")
    .description("list the workers of the shared database and what they are working on")
    .action(async (flags: { readonly json?: boolean }) =>
      (await import("./worker-action.ts")).showWorkers(cli, flags),
    );
}

const help = `
Needs SIGNOFF_DATABASE_URL. Addresses, prices and limits of providers come from the signoff.yaml of
the folder it is started in, keys from its environment; jobs only name a provider and a model.
Ctrl-C or SIGTERM drains it: calls in flight are recorded and everything else is handed back.`;
