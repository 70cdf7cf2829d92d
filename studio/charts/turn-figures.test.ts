import { expect, it } from "vitest";
import { turnFigures } from "./turn-figures.ts";

const entry = (id: string, raised_in: number, closed_in: number | null) => ({
  issue: { issue_id: id },
  ...{ raised_in, closed_in },
});

it("counts an issue where it was raised and where it was closed, however often it is listed", () => {
  const turn = (iteration: number, content: string, ledger: object[], score: number | null) =>
    ({ iteration, candidate: { content }, review: { score }, ledger }) as never;
  expect(
    turnFigures([
      turn(1, "Sleep.", [entry("a", 1, null), entry("b", 1, null)], null),
      turn(2, "Fall asleep.", [entry("a", 1, 2), entry("b", 1, null), entry("c", 2, null)], 70),
    ]),
  ).toEqual([
    { turn: 1, opened: 2, closed: 0, length: 6 },
    { turn: 2, opened: 1, closed: 1, length: 12, score: 70 },
  ]);
});
