import type { QuestionReview } from "../../domain/scenarios/question-quality.ts";
import { counted } from "../../domain/values/counted.ts";
import { notProof } from "../../orchestration/scenarios/check-questions.ts";
import type { Line } from "../shell/lay-out.ts";
import { heading, muted, strong } from "../shell/styles.ts";

const ratingStyle = { strong: "good", usable: "caution", weak: "bad" } as const;
const most = 30;

export function questionReviewLines(
  { measures, problems, rating }: QuestionReview,
  { title, folder }: { readonly title: string; readonly folder: string },
): readonly Line[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const { openDialogues: open = 0 } = measures;
  const dialogues = open === 0 ? "" : `, ${counted(open, "open dialogue")}`;
  const facts = `${counted(measures.questions, "question")}${dialogues}, ${percent(measures.followUpShare)} follow-ups, ${percent(measures.directShare)} direct, ${percent(measures.reportShare)} report-style, ${counted(measures.domains, "domain or tag", "domains and tags")}, ${counted(measures.canaries, "stale-scope canary", "stale-scope canaries")}`;
  return [
    [heading(`${title}: `), { text: rating, style: ratingStyle[rating] }],
    muted(facts),
    ...problems.slice(0, most).map(({ level, code, place, message }) => ({
      lead: [{ text: level.padEnd(9), style: level === "error" ? "bad" : "caution" } as const],
      spans: [strong(`${place}  `), message, muted(`  ${code}`)],
    })),
    problems.length > most && `and ${problems.length - most} more`,
    muted(notProof),
    muted(`Files: ${folder}`),
  ];
}
