import { decidePanel, type PanelDecision, type PanelRule } from "../drafting/panel.ts";
import { isWorse } from "./counting-verdict.ts";
import { isFailing, isSettled, type ReviewDecision, type Settled } from "./decision.ts";
import { isMemberPartition, isStandInPartition } from "./model-partition.ts";
import type { FailLevel } from "./snapshots.ts";

/** A judge of a panel. */
export interface PanelJudge {
  /** What people call it: its own name, else its model. */
  readonly name: string;
  readonly model: string;
  /** What its verdicts are filed under: its model, or a name of its own if it has one. */
  readonly judge: string;
  /** Name, role and criteria as its prompt states them; only for a member with a name of its own. */
  readonly instructions?: string;
}

/** Judges that decide together; what they decide is filed under the panel's own partition. */
export interface NotesPanel {
  readonly rule: PanelRule;
  readonly members: readonly PanelJudge[];
}

const prefix = "panel/";

export function panelPartition(name: string): string {
  return `${prefix}${name}`;
}

/** What commands about a panel's partition are given; nothing for a model's. */
export function panelFlag(partition: string): string {
  return partition.startsWith(prefix) ? ` --panel ${partition.slice(prefix.length)}` : "";
}

/** The panel that a partition belongs to. */
export function panelOf(
  partition: string,
  panels: { readonly [name: string]: NotesPanel },
): NotesPanel | undefined {
  if (!partition.startsWith(prefix)) return undefined;
  const name = partition.slice(prefix.length);
  return Object.hasOwn(panels, name) ? panels[name] : undefined;
}

/** The member with a name of its own whose verdicts are filed under this partition. */
export function memberOf(
  partition: string,
  panels: { readonly [name: string]: NotesPanel },
): PanelJudge | undefined {
  if (!isMemberPartition(partition)) return undefined;
  return Object.values(panels)
    .flatMap(({ members }) => members)
    .find(({ judge }) => judge === partition);
}

/** Whether rule-based stand-ins decide: alone, or as members of a panel. */
export function isDecidedByStandIn(
  partition: string,
  panels: { readonly [name: string]: NotesPanel },
): boolean {
  const members = panelOf(partition, panels)?.members.map(({ model }) => model) ?? [partition];
  return members.some(isStandInPartition);
}

/** A member's answer: its verdict, `undecided` if it could not be read, `absent` if there is none. */
export interface JudgeAnswer {
  readonly member: string;
  readonly answer: Settled | "undecided" | "absent";
}

/**
 * What repeated answers of one model come to, each level by its own majority: the verdict is `fail` unless more than half
 * say less, and `warn` unless more than half pass. A tie is the worse, and an undecided answer objects.
 */
export function voteOnSeries(answers: readonly ReviewDecision[]): Settled {
  const level = (["fail", "warn"] as const).find((failLevel) => {
    const votes = answers.map(
      (answer, at) =>
        ({
          member: String(at + 1),
          answer: isSettled(answer) && !isFailing(answer, failLevel) ? "approves" : "objects",
          statesError: false,
        }) as const,
    );
    return decidePanel(votes, "majority").verdict !== "ok";
  });
  return level ?? "pass";
}

/** A member approves by a verdict below the gate's fail level. The vote is as bad as the worst verdict on its side. */
export function voteOnPair(
  answers: readonly JudgeAnswer[],
  { rule }: Pick<NotesPanel, "rule">,
  failLevel: FailLevel,
): { readonly decision: Settled; readonly vote: PanelDecision } {
  const objects = ({ answer }: JudgeAnswer): boolean =>
    answer === "undecided" || (answer !== "absent" && isFailing(answer, failLevel));
  const vote = decidePanel(
    answers.map((one) => ({
      member: one.member,
      answer: one.answer === "absent" ? "absent" : objects(one) ? "objects" : "approves",
      statesError: one.answer === "fail",
    })),
    rule,
  );
  const isApproved = vote.verdict === "ok";
  const side = answers.filter((one) => objects(one) !== isApproved).map(({ answer }) => answer);
  const verdicts = side.filter((one) => one !== "undecided" && one !== "absent");
  const least: Settled = isApproved ? "pass" : failLevel;
  const decision = verdicts.reduce((worst, one) => (isWorse(one, worst) ? one : worst), least);
  return { decision, vote };
}
