import type { Locale } from "../../domain/scenarios/locale.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import {
  type QuestionReview,
  type QuestionThresholds,
  reviewQuestions,
} from "../../domain/scenarios/question-quality.ts";
import { CHECKED_SHAPES } from "../../domain/scenarios/visible-checks.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { artifactFile } from "./artifact-files.ts";
import { markdownPage, oneLine, table } from "./markdown.ts";

export interface QuestionSettings {
  readonly locale: Locale;
  readonly thresholds: QuestionThresholds;
}

/** The pre-flight: are these questions worth a live replay? Makes no calls. */
export function checkQuestions(
  pack: Pack,
  folder: string,
  settings: QuestionSettings,
): QuestionReview {
  return reviewQuestions(pack, { ...settings, outputDir: folder, checkedShapes: CHECKED_SHAPES });
}

/** A weak pack is not worth a live replay unless the user insists. */
export function refuseWeakQuestions(review: QuestionReview): void {
  if (review.rating !== "weak") return;
  const worst = review.problems.slice(0, 3).map(({ place, message }) => `${place}: ${message}`);
  throw new WeakQuestions(`The questions are weak. ${worst.join("; ")}`, {
    code: "weak-questions",
    facts: { problems: review.problems.length },
    hint: "See `signoff pack check` for all problems, or continue with --skip-question-review.",
  });
}

/** Nothing was asked, because the questions would prove nothing. */
export class WeakQuestions extends WorkflowError {
  override readonly name: string = "WeakQuestions";
}

export function questionFiles(review: QuestionReview, pack: Pack): readonly RecordFile[] {
  return [
    artifactFile("question_generation_review.json", review),
    { name: "question_generation_review.md", content: renderQuestionReview(review, pack) },
  ];
}

export const notProof =
  "This is not proof that the assistant answers rightly: it says whether the questions are worth a live replay.";

function renderQuestionReview(review: QuestionReview, pack: Pack): string {
  const { measures, problems } = review;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return markdownPage(
    `# Questions of ${oneLine(pack.title)}: ${review.rating}`,
    notProof,
    table(
      ["measure", "value"],
      [
        ["questions", measures.questions],
        ["follow-ups", percent(measures.followUpShare)],
        ["direct questions", percent(measures.directShare)],
        ["report-style questions", percent(measures.reportShare)],
        ["domains and tags", measures.domains],
        ["stale-scope canaries", measures.canaries],
        ["weak business anchors", measures.weakAnchors],
        ["open dialogues", measures.openDialogues ?? 0],
        ["longest artifact path", measures.longestPath],
      ],
    ),
    problems.length === 0
      ? "No problems."
      : table(
          ["level", "code", "place", "problem"],
          problems.map(({ level, code, place, message }) => [level, code, place, message]),
        ),
  );
}
