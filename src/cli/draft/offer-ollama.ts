import { standInModel } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { probeOllama } from "../../wiring/models/offered-models.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printErr } from "../shell/print.ts";
import { accent } from "../shell/styles.ts";

interface Drafted {
  readonly settings: Settings;
  readonly writer: string;
  readonly runnerFor: RunnerFor;
}

/** The last line of a draft by the default stand-ins, on a terminal. */
export async function offerOllama(cli: CliContext, drafted: Drafted): Promise<void> {
  const { settings, writer, runnerFor } = drafted;
  const isDefault = settings.models.writer.source === "default" && writer === standInModel;
  if (!isDefault || !cli.screen.err.isTerminal) return;
  const [first] = (await probeOllama(runnerFor)) ?? [];
  if (first === undefined) return;
  const text = `Ollama is running at ${settings.ollama.baseUrl}: add --model ${first} to have a real model write and review.`;
  printErr(cli, [accent(text)]);
}
