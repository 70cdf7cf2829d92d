import type { AcceptanceKind } from "../../../../domain/gates/acceptance.ts";
import type { Settled } from "../../../../domain/gates/decision.ts";
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
import type { Connection, Value } from "../connection.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { pairColumns } from "./review-runs.ts";

const columns = `note_path, gate_id, model, seq, note_blob, gate_blob, decision, kind, format, review,
  reason, author AS "by", accepted_at AS at`;
const lastSeq = "SELECT MAX(seq) AS last FROM acceptance_events";

export function acceptanceRepo(connection: Connection): AcceptanceRepo {
  return {
    async append(acceptance) {
      insertRow(connection, "acceptance_events", {
        ...pairColumns(acceptance),
        model: acceptance.model,
        seq: nextNumber(connection, lastSeq),
        decision: acceptance.decision,
        kind: acceptance.kind,
        format: acceptance.format,
        review: acceptance.review,
        reason: acceptance.reason,
        author: acceptance.by,
        accepted_at: acceptance.at,
      });
    },
    byNote: () => byNote(connection),
    async currentOf(notePath) {
      const sql = `SELECT ${columns} FROM current_acceptances WHERE note_path = ?`;
      return selectRows<AcceptanceRow>(connection, sql, notePath);
    },
    async ofNote(notePath) {
      const sql = `SELECT ${columns} FROM acceptance_events WHERE note_path = ? ORDER BY seq`;
      return selectRows<AcceptanceRow>(connection, sql, notePath);
    },
    async lastSeq() {
      return nextNumber(connection, lastSeq) - 1;
    },
  };
}

/** Occurs in no path, id or name. */
const separator = "\0";

/**
 * All rows in one pass over the primary key. Transferring a row costs the driver more than reading it, so SQLite returns
 * one row per note. Grouping by the first column follows the key: the versions of a pair are adjacent, the newest last.
 */
function* byNote(connection: Connection): Iterable<NoteAcceptances> {
  const notes = connection.each<Record<"notePath" | "gates" | "noteBlobs" | "decisions", string>>(
    `SELECT note_path AS notePath,
       group_concat(concat_ws(?, gate_id, model, gate_blob, kind, format), ?) AS gates,
       group_concat(note_blob) AS noteBlobs, group_concat(decision) AS decisions
     FROM acceptance_events GROUP BY note_path`,
    separator,
    separator,
  );
  let [known, gates] = ["", readGates("")];
  for (const note of notes) {
    if (note.gates !== known) [known, gates] = [note.gates, readGates(note.gates)];
    yield {
      notePath: note.notePath,
      gates,
      noteBlobs: note.noteBlobs.split(","),
      decisions: note.decisions.split(",") as Settled[],
    };
  }
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

export function dismissalRepo(connection: Connection): DismissalRepo {
  return {
    async append(dismissal) {
      const { notePath, noteBlob, gateId } = dismissal;
      insertRow(connection, "dismissals", {
        seq: nextNumber(connection, "SELECT MAX(seq) AS last FROM dismissals"),
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
    async all() {
      return selectRows<DismissalRow>(
        connection,
        `SELECT fingerprint, note_path, note_blob, gate_id, quote, reason, author AS "by",
           dismissed_at AS at
         FROM dismissals ORDER BY seq`,
      );
    },
  };
}

const lastMove = "SELECT MAX(seq) AS last FROM note_moves";

function movesAfter(connection: Connection, seq: string, value: Value): readonly NoteMove[] {
  return selectRows(
    connection,
    `SELECT old_path, new_path FROM note_moves WHERE seq > ${seq} ORDER BY seq`,
    value,
  );
}

export function notePathRepo(connection: Connection): NotePathRepo {
  const each = (work: (table: string) => number): NotePathCounts => ({
    runGates: work("review_run_gates"),
    reviews: work("gate_reviews"),
    acceptances: work("acceptance_events"),
    dismissals: work("dismissals"),
  });
  return {
    async count(notePath) {
      return each(
        (table) =>
          connection.get<{ rows: number }>(
            `SELECT COUNT(*) AS rows FROM ${table} WHERE note_path = ?`,
            notePath,
          )?.rows ?? 0,
      );
    },
    async rekey(oldPath, newPath) {
      const seq = nextNumber(connection, lastMove);
      insertRow(connection, "note_moves", { seq, old_path: oldPath, new_path: newPath });
      connection.run(
        "UPDATE review_run_gates SET asked_path = COALESCE(asked_path, note_path) WHERE note_path = ?",
        oldPath,
      );
      return each((table) =>
        connection.run(`UPDATE ${table} SET note_path = ? WHERE note_path = ?`, newPath, oldPath),
      );
    },
    async movesAfter(seq) {
      return movesAfter(connection, "?", seq);
    },
    async movesSince(run) {
      return movesAfter(connection, "(SELECT moves_seen FROM review_runs WHERE run = ?)", run);
    },
    async lastMove() {
      return nextNumber(connection, lastMove) - 1;
    },
    async all() {
      return connection
        .all<{ note_path: string }>(
          `SELECT note_path FROM acceptance_events UNION SELECT note_path FROM gate_reviews
           ORDER BY note_path`,
        )
        .map((row) => row.note_path);
    },
  };
}
