import { DEFAULT_SESSION } from "../../adapters/assistant/assistant-settings.ts";
import { loadImportedRun, requireImportedId } from "../../adapters/assistant/imported-run.ts";
import { createRewriter } from "../../adapters/assistant/pattern-matcher.ts";
import { pairConversation, parseSessionTranscript } from "../../contract/scenarios/transcript.ts";
import { playedScenarios } from "../../domain/scenarios/asked-questions.ts";
import type {
  ConversationPair,
  RunReviewRules,
} from "../../domain/scenarios/conversation-review.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import { maskText } from "../../domain/scenarios/masking.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { readTextFile } from "../project/save-text.ts";
import { judgingRulesOf } from "./examine-runs.ts";

/** The conversation of a run made elsewhere: from its files, or from a pasted transcript. */
export async function loadPairs(
  root: string,
  { scenarios }: Settings,
  run: { readonly id: string; readonly transcript?: string },
): Promise<readonly ConversationPair[]> {
  const mask = {
    secrets: [],
    ...(scenarios.mask.length === 0 ? {} : { rewrite: createRewriter(scenarios.mask) }),
  };
  if (run.transcript !== undefined) {
    requireImportedId(run.id);
    const about = { name: `The transcript ${run.transcript}`, code: "transcript-unreadable" };
    const text = maskText(await readTextFile(run.transcript, about), mask);
    return pairConversation(run.id, parseSessionTranscript(text));
  }
  const { report, sessions } = scenarios.importedRuns;
  const { pairs } = await loadImportedRun(run.id, {
    root,
    reportFile: report,
    sessionFiles: sessions,
    session: { ...DEFAULT_SESSION.answer, ...scenarios.assistant.session?.answer },
    mask,
  });
  return pairs;
}

/** Clocks of two machines may differ by so much. */
const clockSkewMs = 5 * 60_000;

/**
 * When the first question was asked, by the run's own record; undefined where not every answer has a date, or one has a
 * date that is yet to come.
 */
export function recordedTime(pairs: readonly ConversationPair[], now: string): string | undefined {
  const times = pairs.flatMap(({ at }) => (at === undefined ? [] : [at])).sort();
  const isPast = Date.parse(times.at(-1) ?? "") <= Date.parse(now) + clockSkewMs;
  return isPast && times.length === pairs.length ? times[0] : undefined;
}

/** Expectations of a known pack apply where its conversation was led: the same question after the same earlier ones. */
export function reviewRulesOf(settings: Settings, pack?: Pack): RunReviewRules {
  return {
    ...judgingRulesOf(settings),
    locale: settings.scenarios.locale,
    fileHints: settings.stages.fileHints,
    scenarios: pack === undefined ? [] : playedScenarios(pack),
  };
}
