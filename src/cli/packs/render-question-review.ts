import type { QuestionReview } from "../../domain/scenarios/question-quality.ts";
import { notProof } from "../../orchestration/scenarios/check-questions.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";

const ratingStyle = { strong: "good", usable: "caution", weak: "bad" } as const;
const most = 30;

export function renderQuestionReview(
  about: { readonly review: QuestionReview; readonly title: string; readonly folder: string },
  layout: Layout,
): readonly string[] {
  const { review, title, folder } = about;
  const { measures, problems, rating } = review;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const facts = `${measures.questions} questions, ${percent(measures.followUpShare)} follow-ups, ${percent(measures.directShare)} direct, ${percent(measures.reportShare)} report-style, ${measures.domains} domains and tags, ${measures.canaries} stale-scope canaries`;
  return [
    ...layOut(
      [
        { text: `${title}: `, style: "heading" },
        { text: rating, style: ratingStyle[rating] },
      ],
      layout,
    ),
    ...layOut([{ text: facts, style: "muted" }], layout),
    ...problems
      .slice(0, most)
      .flatMap(({ level, code, place, message }) =>
        layOut(
          [
            { text: `${place}  `, style: "strong" },
            { text: message },
            { text: `  ${code}`, style: "muted" },
          ],
          layout,
          [{ text: level.padEnd(9), style: level === "error" ? "bad" : "caution" }],
        ),
      ),
    ...(problems.length > most ? [`and ${problems.length - most} more`] : []),
    ...layOut([{ text: notProof, style: "muted" }], layout),
    ...layOut([{ text: `Files: ${folder}`, style: "muted" }], layout),
  ];
}
