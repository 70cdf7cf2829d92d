import type { RunReview } from "../../domain/scenarios/conversation-review.ts";
import { counted } from "../../domain/values/counted.ts";
import type { Line } from "../shell/lay-out.ts";
import { clipped } from "../shell/row.ts";
import { caution, heading, muted, strong } from "../shell/styles.ts";

const statusStyle = { clean: "good", p1: "caution", p0: "bad" } as const;

export function runReviewLines(
  { runId, pairs, counts, overallStatus }: RunReview,
  about: { readonly folder: string; readonly isLong: boolean; readonly outside: number },
): readonly Line[] {
  const { folder, isLong, outside } = about;
  const found = pairs.filter(({ findings }) => findings.length > 0);
  return [
    [
      heading(`${runId}: `),
      { text: overallStatus, style: statusStyle[overallStatus] },
      muted(
        `  ${counted(pairs.length, "answer")}, ${counts.P0} P0, ${counts.P1} P1, ${counts.P2} P2`,
      ),
    ],
    ...(isLong ? found : []).flatMap(({ question, answer, findings }): readonly Line[] => [
      strong(clipped(question, 200)),
      { lead: ["  answer  "], spans: [clipped(answer, 400)] },
      ...findings.map(({ severity, invariant, evidence }) => ({
        lead: [{ text: `  ${severity}  `, style: severity === "P0" ? "bad" : "caution" } as const],
        spans: [`${invariant}: ${clipped(evidence, 200)}`],
      })),
    ]),
    outside > 0 &&
      caution(
        `The pack does not ask ${outside} of ${counted(pairs.length, "question")} this way; its expectations were not applied there.`,
      ),
    muted(`Files: ${folder}`),
  ];
}
