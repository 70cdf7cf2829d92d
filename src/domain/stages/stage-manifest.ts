import type { RepairMode } from "../scenarios/pack-loop.ts";

export interface StageText {
  readonly goal: string;
  readonly inScope: readonly string[];
  readonly outOfScope: readonly string[];
  readonly acceptance: readonly string[];
}

/** A development stage: one pack, one gate, one person who confirms. */
export interface StageManifest {
  readonly stageId: string;
  readonly moduleName: string;
  readonly packManifest: string;
  readonly targetScore: number;
  readonly maxIterations: number;
  readonly repairMode: RepairMode;
  readonly saveAutorunOnAccept: boolean;
  /** A model name, or a command as an argument list. */
  readonly analyst?: string | readonly string[];
  readonly coder?: string | readonly string[];
  readonly fileHints: { readonly [problemType: string]: readonly string[] };
  readonly globalStage: StageText;
  readonly localStage: StageText;
}
