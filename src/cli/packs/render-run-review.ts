import type { RunReview } from "../../domain/scenarios/conversation-review.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";
import { clipped } from "../shell/row.ts";

const statusStyle = { clean: "good", p1: "caution", p0: "bad" } as const;

export function renderRunReview(
  about: { readonly review: RunReview; readonly folder: string; readonly isLong: boolean },
  layout: Layout,
): readonly string[] {
  const { review, folder, isLong } = about;
  const { counts, overallStatus } = review;
  const found = review.pairs.filter(({ findings }) => findings.length > 0);
  return [
    ...layOut(
      [
        { text: `${review.runId}: `, style: "heading" },
        { text: overallStatus, style: statusStyle[overallStatus] },
        {
          text: `  ${review.pairs.length} answers, ${counts.P0} P0, ${counts.P1} P1, ${counts.P2} P2`,
          style: "muted",
        },
      ],
      layout,
    ),
    ...(isLong ? found : []).flatMap(({ question, answer, findings }) => [
      ...layOut([{ text: clipped(question, 200), style: "strong" }], layout),
      ...layOut([{ text: clipped(answer, 400) }], layout, [{ text: "  answer  " }]),
      ...findings.flatMap(({ severity, invariant, evidence }) =>
        layOut([{ text: `${invariant}: ${clipped(evidence, 200)}` }], layout, [
          { text: `  ${severity}  `, style: severity === "P0" ? "bad" : "caution" },
        ]),
      ),
    ]),
    ...layOut([{ text: `Files: ${folder}`, style: "muted" }], layout),
  ];
}
