import type { Iteration } from "../api/queries.ts";
import { characters } from "../design/amounts.ts";

export interface TurnFigures {
  readonly turn: number;
  readonly opened: number;
  readonly closed: number;
  readonly length: number;
  readonly score?: number;
}

/** What the charts of a loop show. An issue counts once, in the turn that raised it and in the one that closed it. */
export function turnFigures(
  turns: readonly Pick<Iteration, "iteration" | "candidate" | "review" | "ledger">[],
): readonly TurnFigures[] {
  const opened = new Map<string, number>();
  const closed = new Map<string, number>();
  for (const { ledger } of turns) {
    for (const { issue, raised_in, closed_in } of ledger) {
      opened.set(issue.issue_id, raised_in);
      if (closed_in !== null) closed.set(issue.issue_id, closed_in);
    }
  }
  const countIn = (where: ReadonlyMap<string, number>, turn: number): number =>
    [...where.values()].filter((one) => one === turn).length;
  return turns.map(({ iteration, candidate, review }) => ({
    turn: iteration,
    opened: countIn(opened, iteration),
    closed: countIn(closed, iteration),
    length: characters(candidate.content),
    ...(review.score === null ? {} : { score: review.score }),
  }));
}
