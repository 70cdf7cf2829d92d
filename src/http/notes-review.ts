import type { Given } from "../contract/http/route.ts";
import type { Routes } from "../contract/http/routes.ts";
import { defined } from "../domain/values/defined.ts";
import { WorkflowError } from "../domain/values/workflow-error.ts";
import { notePathsOf } from "../orchestration/gates/load-pair.ts";
import { loadWorld } from "../orchestration/gates/load-world.ts";
import type { WritingTools } from "../orchestration/gates/notes-tools.ts";
import { planDigest, type WorkPlan } from "../orchestration/gates/plan-work.ts";
import { loadPlan, refuseDirtyGates, reviewPairs } from "../orchestration/gates/review-notes.ts";
import type { TargetPair } from "../orchestration/gates/target-pair.ts";
import { oneAfterTheOther } from "./one-after-the-other.ts";
import type { StudioParts } from "./studio-parts.ts";

type NotesReviewRequest = Given<Routes["POST /api/v1/notes/plan"]>["body"];
type NotesReviewStart = Given<Routes["POST /api/v1/notes/review"]>["body"];

interface Progress {
  readonly state: "idle" | "running" | "done" | "failed";
  readonly planned: number;
  readonly completed: number;
  readonly failed: number;
  readonly message?: string;
}

interface Planned {
  readonly plan: WorkPlan;
  readonly acknowledged: readonly TargetPair[];
  readonly models: readonly string[];
  /** Identifies what would be asked; a different plan needs a new decision. */
  readonly version: string;
}

type PlanRequest = Parameters<typeof loadPlan>[1];

const workers = 4;

/** The review of this server, one at a time. Each of its calls is a separate run. */
export class NotesReview {
  readonly #parts: StudioParts;
  readonly #inTurn = oneAfterTheOther();
  progress: Progress = { state: "idle", planned: 0, completed: 0, failed: 0 };

  constructor(parts: StudioParts) {
    this.#parts = parts;
  }

  async plan(tools: WritingTools, asked: NotesReviewRequest): Promise<Planned> {
    const request = await this.#requestOf(tools, asked);
    const { plan, acknowledged } = await loadPlan(tools, request);
    const { digest } = tools;
    const facts = [
      plan.calls.map((call) => planDigest(tools, call, false)),
      [...plan.rulePairs, ...acknowledged].map(({ note, gate }) => [note.blobSha, gate.blobSha]),
    ];
    const version = digest(JSON.stringify(facts)).slice(0, 16);
    return { plan, acknowledged, models: request.models, version };
  }

  /** Returns as soon as the review has started. */
  start(asked: NotesReviewStart, by: string): Promise<Progress> {
    return this.#inTurn(() => this.#start(asked, by));
  }

  async #start(asked: NotesReviewStart, by: string): Promise<Progress> {
    if (this.progress.state === "running") {
      throw new WorkflowError("A review is already running.", { code: "review-running" });
    }
    const tools = await this.#parts.notes.tools();
    const { plan, acknowledged, models, version } = await this.plan(tools, asked);
    if (version !== asked.version) {
      throw new WorkflowError("Notes or gates have changed since the plan was made.", {
        code: "plan-moved",
        hint: "Look at the new plan and its cost; nothing was asked.",
      });
    }
    const planned = plan.calls.length + plan.rulePairs.length + acknowledged.length;
    if (planned === 0) {
      throw new WorkflowError("Nothing is stale.", { code: "nothing-to-do" });
    }
    const request = await this.#requestOf(tools, asked);
    await refuseDirtyGates(tools, await loadWorld(tools, request), false);
    this.progress = { state: "running", planned: plan.calls.length, completed: 0, failed: 0 };
    void this.#run(tools, { ...request, models }, by);
    return this.progress;
  }

  async #run(tools: WritingTools, request: PlanRequest, by: string): Promise<void> {
    const { notes, report } = this.#parts;
    try {
      const { sweep } = await reviewPairs(tools, notes.engine, {
        ...request,
        allowDirtyGates: false,
        maxWorkers: workers,
        by,
        signal: new AbortController().signal,
        onProgress: ({ completed, failed }) => {
          this.progress = { ...this.progress, completed, failed };
        },
        confirm: async () => true,
      });
      const { stop } = sweep;
      const state = stop === undefined ? "done" : "failed";
      this.progress = { ...this.progress, state, ...defined({ message: stop?.message }) };
    } catch (error) {
      report(error, "notes-review");
      const message = error instanceof WorkflowError ? error.message : "The review failed.";
      this.progress = { ...this.progress, state: "failed", message };
    }
  }

  async #requestOf(tools: WritingTools, asked: NotesReviewRequest): Promise<PlanRequest> {
    const { noteIds = [], gates = [], retryUndecided = false, again = false, limit } = asked;
    return {
      paths: await notePathsOf(tools, noteIds),
      gates,
      models: await this.#parts.notes.judges(tools, asked.model),
      strategy: "by-note",
      retryUndecided,
      again,
      autoAck: !again,
      ...defined({ limit }),
    };
  }
}
