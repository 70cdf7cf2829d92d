import { defined } from "../values/defined.ts";
import type { Scenario } from "./manifest.ts";
import {
  type ChainMove,
  type ChainReply,
  type JudgingRules,
  type Playing,
  playStep,
} from "./play-step.ts";
import { playUser } from "./play-user.ts";
import type { ScenarioRecord, StepRecord } from "./run-record.ts";
import { type ScenarioProgress, startProgress } from "./scenario-progress.ts";

export interface PlayedChain {
  readonly steps: readonly StepRecord[];
  readonly progress: ScenarioProgress;
  /** Versions of the assistant that its answers showed. */
  readonly versions: readonly string[];
}

/** What a played chain leaves of its conversation. */
export function conversationOf(
  { scenarioId, domain, title }: Scenario,
  { steps, progress, versions }: PlayedChain,
): ScenarioRecord {
  const { sessionId } = progress;
  const assistantVersions = versions.length === 0 ? undefined : versions;
  return { scenarioId, domain, title, ...defined({ sessionId, assistantVersions }), steps };
}

/**
 * One chain of questions: takes a reply to each question or turn it yields, and nothing for a judged step. A live run and
 * the derivation from recorded answers both go through here, so that they cannot judge differently.
 */
export function* playChain(
  scenario: Scenario,
  how: JudgingRules,
): Generator<ChainMove, PlayedChain, ChainReply> {
  const progress = startProgress(scenario.bindings);
  const playing: Playing = { steps: [], versions: new Set(), progress };
  for (const step of scenario.steps) yield* playStep(playing, step, how);
  if (scenario.user !== undefined) yield* playUser(playing, scenario.user, how);
  return { ...playing, versions: [...playing.versions] };
}
