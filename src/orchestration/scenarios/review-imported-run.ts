import {
  type ConversationPair,
  type QuestionQualityReview,
  type RunReview,
  type RunReviewRules,
  reviewConversationQuestions,
  reviewRun,
} from "../../domain/scenarios/conversation-review.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { artifactFile } from "./artifact-files.ts";
import { blockquote, bullets, markdownPage, oneLine, table } from "./markdown.ts";
import { renderTarget } from "./pack-files.ts";
import { findingLine } from "./scenario-files.ts";

export interface ImportedReview {
  readonly review: RunReview;
  readonly questions: QuestionQualityReview;
  /** Asked where the pack does not ask them, so that its expectations say nothing about the answers. */
  readonly outside: readonly string[];
}

/** Judges a run made elsewhere by what its users saw, and files the review. */
export async function reviewImportedRun(
  folders: RunFolders,
  run: {
    readonly runId: string;
    readonly pairs: readonly ConversationPair[];
    readonly folder: string;
  },
  rules: RunReviewRules,
): Promise<ImportedReview> {
  const review = reviewRun(run.runId, run.pairs, rules);
  const questions = reviewConversationQuestions(run.pairs, rules);
  await folders.requireWritable(run.folder);
  const outside = questionsOutside(review, rules);
  await folders.write(run.folder, reviewFiles({ review, questions, outside }, run.pairs));
  return { review, questions, outside };
}

/** Without a pack there is nothing to be outside of. */
function questionsOutside({ pairs }: RunReview, { scenarios }: RunReviewRules): readonly string[] {
  if (scenarios.length === 0) return [];
  return pairs.filter(({ step }) => step === undefined).map(({ question }) => question);
}

function reviewFiles(
  imported: ImportedReview,
  pairs: readonly ConversationPair[],
): readonly RecordFile[] {
  const { review, questions } = imported;
  return [
    artifactFile("run_review.json", review),
    { name: "run_review.md", content: renderReview(imported) },
    artifactFile("conversation_pairs.json", { pairs }),
    artifactFile("question_quality_review.json", questions),
    artifactFile("repair_targets.json", { targets: review.repairTargets }),
  ];
}

function renderReview({ review, questions, outside }: ImportedReview): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return markdownPage(
    `# Review of ${oneLine(review.runId)}: ${review.overallStatus}`,
    "Questions and visible answers were judged before any technical field.",
    table(["P0", "P1", "P2"], [[review.counts.P0, review.counts.P1, review.counts.P2]]),
    ...review.pairs
      .filter(({ findings }) => findings.length > 0)
      .map((pair) =>
        markdownPage(
          `## ${oneLine(pair.pairId)}`,
          blockquote(pair.question),
          `Answer:\n\n${blockquote(pair.answer)}`,
          bullets(pair.findings.map(findingLine)),
        ).trimEnd(),
      ),
    ...(outside.length === 0
      ? []
      : [
          "# Outside the pack",
          "The pack does not ask these after the same earlier questions, so its expectations were not applied.",
          ...outside.map(blockquote),
        ]),
    "# Repair targets",
    ...(review.repairTargets.length === 0
      ? ["None."]
      : review.repairTargets.map((target, index) => renderTarget(target, index + 1))),
    "# The questions",
    bullets([
      `questions: ${questions.questions} in ${questions.sessions} sessions`,
      `domains and tags of a known pack: ${questions.domains}`,
      `follow-ups: ${percent(questions.followUpShare)}`,
      `direct: ${percent(questions.directShare)}`,
      `report-style: ${percent(questions.reportShare)}`,
      `duplicates: ${questions.duplicates.length}`,
      `weak business anchors: ${questions.weakAnchors.length}`,
    ]),
  );
}
