import type { RulingRepo, RunRuling } from "../../../../ports/repos.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { outdateLine } from "../run-rows.ts";
import type { UnitsOf } from "./units-of.ts";

export const rulingRepo: UnitsOf<RulingRepo> = {
  *append(ruling) {
    const last = "SELECT MAX(number) AS last FROM rulings WHERE run = ?";
    const number = yield* nextNumber(last, ruling.run);
    yield* insertRow("rulings", {
      run: ruling.run,
      number,
      act: ruling.act,
      candidate: ruling.candidate,
      author: ruling.by,
      known_how: ruling.knownHow,
      reason: ruling.reason,
      content: ruling.text,
      ruled_at: ruling.at,
    });
    yield* outdateLine(ruling.run);
    return { ...ruling, number };
  },
  *of(run) {
    return yield* selectRows<RunRuling>(
      `SELECT run, number, act, candidate, author AS "by", known_how, reason, content AS text,
           ruled_at AS at
         FROM rulings WHERE run = ? ORDER BY number`,
      run,
    );
  },
};
