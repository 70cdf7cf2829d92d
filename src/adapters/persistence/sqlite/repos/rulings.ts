import type { Ruling, RulingRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";

export function rulingRepo(connection: Connection): RulingRepo {
  return {
    async append(ruling) {
      const last = "SELECT MAX(number) AS last FROM rulings WHERE run = ?";
      const number = nextNumber(connection, last, ruling.run);
      insertRow(connection, "rulings", {
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
      return { ...ruling, number };
    },
    async of(run) {
      return selectRows<Ruling>(
        connection,
        `SELECT run, number, act, candidate, author AS "by", known_how, reason, content AS text,
           ruled_at AS at
         FROM rulings WHERE run = ? ORDER BY number`,
        run,
      );
    },
  };
}
