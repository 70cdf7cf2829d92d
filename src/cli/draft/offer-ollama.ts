import { standInModel } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { probeOllama } from "../../wiring/models/offered-models.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printErr } from "../shell/print.ts";

interface Drafted {
  readonly settings: Settings;
  readonly writer: string;
  readonly runnerFor: RunnerFor;
}

/** The last line of a draft by stand-ins that nobody asked for, on a terminal. */
export async function offerOllama(cli: CliContext, drafted: Drafted): Promise<void> {
  const { settings, writer, runnerFor } = drafted;
  const isDefault = settings.models.writer.source === "default" && writer === standInModel;
  if (!isDefault || !cli.screen.err.isTerminal) return;
  const [first] = (await probeOllama(runnerFor)) ?? [];
  if (first === undefined) return;
  const text = `An Ollama answers at ${settings.ollama.baseUrl}: add --model ${first} to have real models write and review.`;
  printErr(cli, [{ text, style: "accent" }]);
}
