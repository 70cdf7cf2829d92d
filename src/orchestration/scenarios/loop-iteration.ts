import type { z } from "zod";
import type { Frozen } from "../../contract/documents/snake-case.ts";
import type { packResultShape, RunInput } from "../../contract/scenarios/run-inputs.ts";
import type { PackIteration } from "../../domain/scenarios/pack-loop.ts";
import type { Judged } from "./ask-analyst.ts";

export type PackResult = Frozen<z.output<typeof packResultShape>>;
export type IterationState = RunInput<"pack-loop">["previous"][number];

/** One replay with its verdict, while the loop is running. */
export interface Iteration {
  readonly number: number;
  readonly folder: string;
  readonly pack: PackResult;
  readonly judged: Judged;
  readonly state: IterationState;
  readonly decided: PackIteration;
}

/** Short, to keep paths short. */
export function iterationFolder(number: number): string {
  return `iterations/${String(number).padStart(2, "0")}`;
}
