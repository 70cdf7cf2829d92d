import type { AcceptanceKind } from "../../../../domain/gates/acceptance.ts";
import type { Settled } from "../../../../domain/gates/decision.ts";
import { defined } from "../../../../domain/values/defined.ts";
import type {
  AcceptanceRepo,
  AcceptanceRow,
  DismissalRepo,
  DismissalRow,
  NoteAcceptances,
  NoteMove,
  NotePathCounts,
  NotePathRepo,
} from "../../../../ports/review-repos.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { all, change, each, get, type Sql, together, type Unit, type Value } from "../unit.ts";
import { pairColumns } from "./review-runs.ts";
import type { UnitsOf } from "./units-of.ts";

const columns = `note_path, gate_id, model, seq, note_blob, gate_blob, decision, kind, format, review,
  reason, author AS "by", accepted_at AS at`;
const lastSeq = "SELECT MAX(seq) AS last FROM acceptance_events";

export const acceptanceRepo: UnitsOf<AcceptanceRepo> = {
  *append(acceptance) {
    yield* insertRow("acceptance_events", {
      ...pairColumns(acceptance),
      model: acceptance.model,
      seq: yield* nextNumber(lastSeq),
      decision: acceptance.decision,
      kind: acceptance.kind,
      format: acceptance.format,
      review: acceptance.review,
      reason: acceptance.reason,
      author: acceptance.by,
      accepted_at: acceptance.at,
    });
  },
  byNote: (visit) => eachNote(visit, notesWithAcceptances),
  datedByNote: (visit) => eachNote(visit, notesWithDates),
  *currentOf(notePath) {
    const sql = `SELECT ${columns} FROM current_acceptances WHERE note_path = ?`;
    return yield* selectRows<AcceptanceRow>(sql, notePath);
  },
  *ofNote(notePath) {
    const sql = `SELECT ${columns} FROM acceptance_events WHERE note_path = ? ORDER BY seq`;
    return yield* selectRows<AcceptanceRow>(sql, notePath);
  },
  *lastSeq() {
    return (yield* nextNumber(lastSeq)) - 1;
  },
};

/** Occurs in no id or name. */
const separator = "\u001f";

const gateFields = "concat_ws(?, gate_id, model, gate_blob, kind, format)";
const inKeyOrder = "ORDER BY gate_id, model, seq";

/**
 * All rows in one pass over the primary key. Transferring a row costs the driver more than reading it, so the database
 * returns one row per note. In SQLite grouping by the first column follows the key.
 */
const notesWithAcceptances = groupedByNote(["note_blob", "decision"]);
const notesWithDates = groupedByNote(["note_blob", "decision", "accepted_at"]);

function groupedByNote(listed: readonly string[]): Sql {
  const inSqlite = listed.map((column) => `group_concat(${column}) AS ${column}s`);
  const inPostgres = listed.map(
    (column) => `string_agg(${column}, ',' ${inKeyOrder}) AS ${column}s`,
  );
  return {
    sqlite: `SELECT note_path, group_concat(${gateFields}, ?) AS gates, ${inSqlite.join(", ")}
      FROM acceptance_events GROUP BY note_path`,
    postgres: `SELECT note_path, string_agg(${gateFields}, ? ${inKeyOrder}) AS gates, ${inPostgres.join(", ")}
      FROM acceptance_events GROUP BY note_path ORDER BY note_path`,
  };
}

type NoteRow = Record<"note_path" | "gates" | "note_blobs" | "decisions", string> & {
  readonly accepted_ats?: string;
};

function eachNote<Note extends NoteAcceptances>(
  visit: (note: Note) => void | Promise<void>,
  sql: Sql,
): Unit<void> {
  let [known, gates] = ["", readGates("")];
  const read = (note: NoteRow): void | Promise<void> => {
    if (note.gates !== known) [known, gates] = [note.gates, readGates(note.gates)];
    return visit({
      notePath: note.note_path,
      gates,
      noteBlobs: note.note_blobs.split(","),
      decisions: note.decisions.split(",") as Settled[],
      ...defined({ times: note.accepted_ats?.split(",") }),
    } as NoteAcceptances as Note);
  };
  return each(read, sql, separator, separator);
}

function readGates(text: string): NoteAcceptances["gates"] {
  const fields = text.split(separator);
  const gates: NoteAcceptances["gates"][number][] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [gateId = "", model = "", gateBlob = "", kind, format = ""] = fields.slice(at, at + 5);
    gates.push({ gateId, model, gateBlob, kind: kind as AcceptanceKind, format });
  }
  return gates;
}

export const dismissalRepo: UnitsOf<DismissalRepo> = {
  *append(dismissal) {
    const { notePath, noteBlob, gateId } = dismissal;
    yield* insertRow("dismissals", {
      seq: yield* nextNumber("SELECT MAX(seq) AS last FROM dismissals"),
      fingerprint: dismissal.fingerprint,
      note_path: notePath,
      note_blob: noteBlob,
      gate_id: gateId,
      quote: dismissal.quote,
      reason: dismissal.reason,
      author: dismissal.by,
      dismissed_at: dismissal.at,
    });
  },
  *all() {
    return yield* selectRows<DismissalRow>(`SELECT fingerprint, note_path, note_blob, gate_id, quote, reason, author AS "by",
           dismissed_at AS at
         FROM dismissals ORDER BY seq`);
  },
};

const lastMove = "SELECT MAX(seq) AS last FROM note_moves";

function* movesAfter(seq: string, value: Value): Unit<readonly NoteMove[]> {
  return yield* selectRows(
    `SELECT old_path, new_path FROM note_moves WHERE seq > ${seq} ORDER BY seq`,
    value,
  );
}

/** One unit for each table that has rows of a note. */
function* eachTable(work: (table: string) => Unit<number>): Unit<NotePathCounts> {
  const [runGates, reviews, acceptances, dismissals] = yield* together(
    work("review_run_gates"),
    work("gate_reviews"),
    work("acceptance_events"),
    work("dismissals"),
  );
  return { runGates, reviews, acceptances, dismissals };
}

export const notePathRepo: UnitsOf<NotePathRepo> = {
  *count(notePath) {
    return yield* eachTable(function* (table) {
      const sql = `SELECT COUNT(*) AS rows FROM ${table} WHERE note_path = ?`;
      return (yield* get<{ rows: number }>(sql, notePath))?.rows ?? 0;
    });
  },
  *rekey(oldPath, newPath) {
    const seq = yield* nextNumber(lastMove);
    yield* insertRow("note_moves", { seq, old_path: oldPath, new_path: newPath });
    yield* change(
      "UPDATE review_run_gates SET asked_path = COALESCE(asked_path, note_path) WHERE note_path = ?",
      oldPath,
    );
    return yield* eachTable((table) =>
      change(`UPDATE ${table} SET note_path = ? WHERE note_path = ?`, newPath, oldPath),
    );
  },
  *movesAfter(seq) {
    return yield* movesAfter("?", seq);
  },
  *movesSince(run) {
    return yield* movesAfter("(SELECT moves_seen FROM review_runs WHERE run = ?)", run);
  },
  *lastMove() {
    return (yield* nextNumber(lastMove)) - 1;
  },
  *all() {
    return (yield* all<{ note_path: string }>(
      `SELECT note_path FROM acceptance_events UNION SELECT note_path FROM gate_reviews
           ORDER BY note_path`,
    )).map((row) => row.note_path);
  },
};
