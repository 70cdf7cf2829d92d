import type { z } from "zod";
import type { Frozen } from "../contract/documents/snake-case.ts";
import type { recipesShape } from "../contract/http/surroundings.ts";
import type { DraftInput } from "../domain/drafting/draft-input.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import type { AskedDraft } from "../orchestration/drafting/plan-draft.ts";
import type { Author } from "../orchestration/drafting/rule-on-draft.ts";
import type { RunSource } from "../orchestration/runs/list-runs.ts";
import type { PackLibrary } from "../orchestration/scenarios/pack-library.ts";
import type { RepeatRequest } from "../orchestration/scenarios/repeat-run.ts";
import type { Clock } from "../ports/clock.ts";
import type { Engine } from "../ports/engine.ts";
import type { Budget } from "../ports/flow.ts";
import type { RecordFiles } from "../ports/record-files.ts";
import type { EpisodeParts } from "./episode-parts.ts";
import type { LiveHub } from "./live-hub.ts";
import type { StudioNotes } from "./note-parts.ts";
import type { StageSteps } from "./stage-steps.ts";

export type KnownRecipe = Frozen<z.output<typeof recipesShape>>["recipes"][number];

export interface KnownModels {
  readonly models: readonly { readonly name: string; readonly standIn: boolean }[];
  readonly defaultModel: string;
}

/** Everything the handlers use. They only translate between HTTP and these parts. */
export interface StudioParts {
  readonly root: string;
  readonly source: RunSource;
  readonly engine: Engine;
  readonly files: RecordFiles;
  readonly stages: StageSteps;
  readonly clock: Clock;
  /** Who started the server; the author of acts that name no other. */
  readonly author: Author;
  readonly newId: () => string;
  /** Always the same id for the same name in the same run. */
  readonly idInRun: (run: RunId, name: string) => string;
  /** Always the same id for the same idempotency key. */
  readonly idOf: (idempotencyKey: string) => string;
  /** Decides on recipe, models and limits; throws what is wrong with the request. */
  readonly planDraft: (
    asked: AskedDraft,
  ) => Promise<{ readonly input: DraftInput; readonly budget?: Budget }>;
  readonly models: () => Promise<KnownModels>;
  readonly recipes: () => Promise<readonly KnownRecipe[]>;
  /** Without secrets. */
  readonly settings: () => Promise<
    readonly { readonly name: string; readonly value: Json; readonly source: string }[]
  >;
  readonly episodes: EpisodeParts;
  readonly notes: StudioNotes;
  readonly packs: PackLibrary;
  /** Asks the questions of a recorded run again. */
  readonly repeatRun: (request: RepeatRequest) => Promise<RunId>;
  readonly hub: LiveHub;
  /** In Prometheus format. */
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  /** Called with details that no client may see. */
  readonly report: (error: unknown, requestId: string) => void;
}
