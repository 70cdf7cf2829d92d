import type { StageDetail } from "../../contract/http/stages.ts";
import { defined } from "../../domain/values/defined.ts";
import { isOver } from "../../domain/values/is-over.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { AskedStep, StageSteps, StepTaken } from "../../http/stage-steps.ts";
import { openStageById } from "../../orchestration/stages/close-stage.ts";
import { continueStage, saidOf } from "../../orchestration/stages/continue-stage.ts";
import { ingestRun } from "../../orchestration/stages/ingest-run.ts";
import { findStage } from "../../orchestration/stages/list-stages.ts";
import { prepareRepair, saidOfPrepared } from "../../orchestration/stages/prepare-repair.ts";
import { type CoderTemplate, executeRepair } from "../../orchestration/stages/run-repair.ts";
import {
  recordLoop,
  type StageRunRequest,
  saidOfStart,
  startStageRun,
} from "../../orchestration/stages/run-stage.ts";
import type { Stage } from "../../orchestration/stages/stage.ts";
import { analystOf } from "../features/open-stage.ts";
import { packPartsOf, questionSettingsOf } from "../features/pack-parts.ts";
import { requireQuestionModels } from "../features/question-models.ts";
import { coderFor, loadImported, stageRunRequest } from "../features/stage-work.ts";
import { requireTrustedCoder, stageStoreOf } from "../features/stages.ts";
import type { ProjectAccess } from "../models/runners.ts";
import type { Project } from "../project/project.ts";
import { deadBy } from "../project/run-source.ts";
import { loadTrustedCoders } from "../settings/trust.ts";

interface StageSurroundings extends ProjectAccess {
  readonly project: Project;
  /** Called with errors of work that no request waits for. */
  readonly report: (error: unknown) => void;
}

export function studioStages(surroundings: StageSurroundings): StageSteps {
  const { project, environment, loaded } = surroundings;
  const parts = stageStoreOf(project, environment, loaded.settings);
  const steps = new Steps(surroundings, parts);
  return {
    ...parts,
    take: async (stageId, asked) => steps.take(await openStageById(parts, stageId), asked),
    work: async (stageId) => {
      const opened = openStageById(parts, stageId);
      const coder = await opened.then((stage) => steps.knownCoder(stage)).catch(noCoder);
      const { folder } = await findStage(parts, stageId);
      return { coder, ...defined({ loop: await unfinishedLoop(project, folder) }) };
    },
    close: () => steps.later.close(),
  };
}

/** The steps of `signoff stage …`, by the same functions. A loop or a coder goes on after the answer. */
class Steps {
  readonly #door: StageSurroundings;
  readonly #parts: ReturnType<typeof stageStoreOf>;
  readonly later: Background;

  constructor(door: StageSurroundings, parts: ReturnType<typeof stageStoreOf>) {
    this.#door = door;
    this.#parts = parts;
    this.later = new Background(door.report);
  }

  async take(stage: Stage, asked: AskedStep): Promise<StepTaken> {
    const { seen, by } = asked;
    const parts = this.#parts;
    switch (asked.step) {
      case "continue":
        return this.#continue(stage, seen);
      case "prepare-repair":
        return { said: [saidOfPrepared(await prepareRepair(parts, stage, { seen }))] };
      case "execute-repair": {
        const coder = await this.#coder(stage, true);
        const how = { coder, seen, signal: this.later.signal };
        await this.later.begin((onStarted) => executeRepair(parts, stage, { ...how, onStarted }));
        return { said: ["The coder is at work."] };
      }
      case "run":
        return this.#run(stage, { seen });
      case "decide": {
        const { choice, comment } = asked;
        return this.#run(stage, { seen, decision: { choice, by, ...defined({ comment }) } });
      }
      case "import": {
        const { runId } = asked;
        const imported = await loadImported(this.#door, stage, { id: runId });
        await ingestRun(parts, stage, { runId, by, seen, ...imported });
        return { said: [`Imported ${runId}.`] };
      }
    }
  }

  async knownCoder(stage: Stage): Promise<StageDetail["coder"]> {
    const { loaded, environment } = this.#door;
    const coder = await this.#coder(stage, false);
    const about = { stage, settings: loaded.settings, environment, isOwnChoice: false };
    try {
      requireTrustedCoder(coder, { ...about, ...(await this.#trust()) });
      return { command: coder.argv };
    } catch (error) {
      return { ...noCoder(error), command: coder.argv };
    }
  }

  async #coder(stage: Stage, willRun: boolean): Promise<CoderTemplate> {
    return coderFor(this.#door, stage, { willRun, ...(await this.#trust()) });
  }

  /** Trust is given at a terminal, so it is looked up each time. */
  async #trust() {
    const { environment, root } = this.#door;
    const { userFolder } = environment;
    return { byFlag: false, trusted: await loadTrustedCoders({ userFolder, root }) };
  }

  async #continue(stage: Stage, seen: number): Promise<StepTaken> {
    const { settings } = this.#door.loaded;
    const coder = await this.#coder(stage, false);
    const continued = await continueStage(this.#parts, stage, {
      ...{ executeRepair: false, seen, coder: () => coder, signal: this.later.signal },
      ...{ questions: questionSettingsOf(settings), analyst: analystOf(stage, settings) },
      loadRun: () => neverAsked("a run"),
    });
    return { said: saidOf(continued) };
  }

  async #run(stage: Stage, more: Pick<StageRunRequest, "seen" | "decision">): Promise<StepTaken> {
    const { project, loaded } = this.#door;
    const { library } = loaded.settings.scenarios;
    const isAuto = stage.manifest.repairMode === "auto-coder";
    const coder = isAuto ? await this.#coder(stage, true) : undefined;
    const given = { coder: () => coder ?? neverAsked("a coder") };
    const request = stageRunRequest(this.#door, stage, given);
    const { budget } = request;
    await requireQuestionModels(this.#door, { pack: stage.pack, analysts: request, budget });
    const begun = await startStageRun(this.#parts, packPartsOf(project, loaded.settings), {
      ...{ stage, library },
      request: { ...request, skipQuestionReview: false, fresh: false, ...more },
    });
    if (begun.kind !== "started") return { said: [saidOfStart(begun.kind)] };
    const { run, continued } = begun.started;
    this.later.do(async () => {
      await project.engine.ending(run, new AbortController().signal);
      await recordLoop(this.#parts, { stage, library });
    });
    const said = continued ? "The unfinished loop is resumed." : "The questions are being asked.";
    return { said: [said], run };
  }
}

/** Why there is no coder that could be started. */
function noCoder(error: unknown): StageDetail["coder"] {
  if (!(error instanceof WorkflowError)) throw error;
  return { command: [], problem: error.message, ...defined({ hint: error.hint }) };
}

/** The stage's newest loop, while it is not over. */
async function unfinishedLoop(
  { store, clock }: Project,
  folder: string,
): Promise<StageDetail["loop"]> {
  const loops = await store.read(({ stages }) =>
    stages.runsBelow("pack-loop", `${folder}/domain_loops`),
  );
  const newest = loops.at(-1);
  const record = newest && (await store.runs.load(newest));
  if (record === undefined || isOver(record)) return undefined;
  const { holder } = record;
  return { runId: record.run, isPlaying: holder !== undefined && !deadBy(clock)(holder) };
}

function neverAsked(what: string): never {
  throw new Error(`${what} was used without being asked for`);
}

/** Work that goes on after its request was answered, until the server ends. */
class Background {
  readonly #report: (error: unknown) => void;
  readonly #over = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  do(work: () => Promise<unknown>): void {
    const pending = work()
      .then(() => undefined, this.#report)
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Resolves once the work has begun; rejects if it ends before that. */
  begin(work: (onStarted: () => void) => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      let isStarted = false;
      const onStarted = (): void => {
        isStarted = true;
        resolve();
      };
      this.do(async () => {
        try {
          await work(onStarted);
        } catch (error) {
          if (isStarted) throw error;
          reject(error);
        }
      });
    });
  }

  async close(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#pending);
  }
}
