import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { Ruling, RulingAct, RulingRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";

interface RulingRow {
  readonly run: string;
  readonly number: number;
  readonly act: RulingAct;
  readonly candidate: string | null;
  readonly author: string;
  readonly known_how: string;
  readonly reason: string | null;
  readonly content: string | null;
  readonly ruled_at: string;
}

export function rulingRepo(connection: Connection): RulingRepo {
  return {
    async append(ruling) {
      const last = connection.get<{ number: number | null }>(
        "SELECT MAX(number) AS number FROM rulings WHERE run = ?",
        ruling.run,
      );
      const number = (last?.number ?? 0) + 1;
      connection.run(
        `INSERT INTO rulings (run, number, act, candidate, author, known_how, reason, content,
           ruled_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ruling.run,
        number,
        ruling.act,
        ruling.candidate ?? null,
        ruling.by,
        ruling.knownHow,
        ruling.reason ?? null,
        ruling.text ?? null,
        ruling.at,
      );
      return { ...ruling, number };
    },
    async of(run) {
      return connection
        .all<RulingRow>(
          `SELECT run, number, act, candidate, author, known_how, reason, content, ruled_at
           FROM rulings WHERE run = ? ORDER BY number`,
          run,
        )
        .map(rulingOf);
    },
  };
}

function rulingOf(row: RulingRow): Ruling {
  return {
    run: runId(row.run),
    number: row.number,
    act: row.act,
    ...(row.candidate === null ? {} : { candidate: row.candidate }),
    by: row.author,
    knownHow: row.known_how,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.content === null ? {} : { text: row.content }),
    at: instant(row.ruled_at),
  };
}
