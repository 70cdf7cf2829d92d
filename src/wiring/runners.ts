import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigurationError, ModelNotFoundError } from "../domain/values/workflow-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { ResolvedRunner, Runner, RunnerFor } from "../ports/runner.ts";
import { paced } from "./paced-runner.ts";

export interface RunnerSettings {
  /** Script files are named relative to the project. */
  readonly root: string;
  /** Where scripts may change files, if anywhere. */
  readonly workspace?: string;
  readonly clock: Clock;
  /** Lets text appear at reading speed where somebody watches; nothing waits without it. */
  readonly millisPerWord?: number;
}

const free = (): number => 0;

/** Finds the runner behind a model's name. Each is made once, and loaded only when it is asked for. */
export function createRunnerFor(settings: RunnerSettings): RunnerFor {
  const made = new Map<string, Promise<ResolvedRunner>>();
  return (model) => {
    const known = made.get(model) ?? resolveRunner(model, settings);
    made.set(model, known);
    return known;
  };
}

/** Says of models that nobody can ask that they do not exist, before anything is stored. */
export async function checkModels(
  models: Iterable<string>,
  settings: RunnerSettings,
): Promise<void> {
  const runnerFor = createRunnerFor(settings);
  for (const model of models) await runnerFor(model);
}

async function resolveRunner(model: string, settings: RunnerSettings): Promise<ResolvedRunner> {
  if (model.startsWith("script:")) {
    return { runner: await scripted(model.slice(7), settings), provider: "script", price: free };
  }
  if (model === "offline/rules") {
    return { runner: await offline(settings), provider: "offline", price: free };
  }
  throw new ModelNotFoundError(`There is no model "${model}".`, {
    code: "model-not-found",
    facts: { model },
    hint: "Use offline/rules, or script:<file> for replies of your own.",
  });
}

async function scripted(file: string, { root, workspace }: RunnerSettings): Promise<Runner> {
  const { parseScript } = await import("../adapters/runners/scripted/script.ts");
  const { createScriptedRunner } = await import("../adapters/runners/scripted/scripted-runner.ts");
  const script = parseScript(await readScript(resolve(root, file), file), file);
  return createScriptedRunner(script, workspace === undefined ? {} : { root: workspace });
}

async function readScript(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ConfigurationError(`The script ${file} cannot be read.`, {
      code: "script-unreadable",
      facts: { file },
      hint: 'Give the path of a JSON file such as {"creator": ["…"], "reviewer": ["SHIP IT!"]}.',
      cause,
    });
  }
}

async function offline({ clock, millisPerWord }: RunnerSettings): Promise<Runner> {
  const { createOfflineRunner } = await import("../adapters/runners/offline/offline-runner.ts");
  const { writeCreatorReply } = await import("../protocol/drafting/creator-reply.ts");
  const { writeReviewerReply } = await import("../protocol/drafting/reviewer-reply.ts");
  const { createOfflineAnalyst } = await import(
    "../adapters/runners/offline-analyst/offline-analyst.ts"
  );
  const { createEpisodeStandIn } = await import(
    "../adapters/runners/offline-episodes/episode-stand-in.ts"
  );
  const writers = { writeCreatorReply, writeReviewerReply };
  const standIns = [createEpisodeStandIn(writers)];
  const drafting = createOfflineRunner({ clock, ...writers, standIns });
  const analyst = createOfflineAnalyst(clock);
  const runner: Runner = {
    ...drafting,
    attempt: (request, ...rest) =>
      (request.role === "analyst" ? analyst : drafting).attempt(request, ...rest),
  };
  return millisPerWord === undefined ? runner : paced(runner, { clock, millisPerWord });
}
