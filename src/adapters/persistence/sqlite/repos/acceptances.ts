import type { AcceptanceKind } from "../../../../domain/gates/acceptance.ts";
import type { Settled } from "../../../../domain/gates/decision.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type {
  AcceptanceRepo,
  AcceptanceRow,
  DismissalRepo,
  NoteAcceptances,
  NotePathCounts,
  NotePathRepo,
} from "../../../../ports/review-repos.ts";
import type { Connection } from "../connection.ts";
import { next } from "./review-runs.ts";

interface EventRow {
  readonly note_path: string;
  readonly gate_id: string;
  readonly model: string;
  readonly seq: number;
  readonly note_blob: string;
  readonly gate_blob: string;
  readonly decision: Settled;
  readonly kind: AcceptanceKind;
  readonly format: string;
  readonly review: string | null;
  readonly reason: string | null;
  readonly author: string | null;
  readonly accepted_at: string;
}

const columns = `note_path, gate_id, model, seq, note_blob, gate_blob, decision, kind, format, review,
  reason, author, accepted_at`;

export function acceptanceRepo(connection: Connection): AcceptanceRepo {
  return {
    async append(acceptance) {
      connection.run(
        `INSERT INTO acceptance_events (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        acceptance.notePath,
        acceptance.gateId,
        acceptance.model,
        next(connection, "SELECT MAX(seq) AS last FROM acceptance_events"),
        acceptance.noteBlob,
        acceptance.gateBlob,
        acceptance.decision,
        acceptance.kind,
        acceptance.format,
        acceptance.review ?? null,
        acceptance.reason ?? null,
        acceptance.by ?? null,
        acceptance.at,
      );
    },
    current: () => currentOf(connection),
    async currentOf(notePath) {
      return connection
        .all<EventRow>(`SELECT ${columns} FROM current_acceptances WHERE note_path = ?`, notePath)
        .map(acceptanceOf);
    },
    async ofNote(notePath) {
      return connection
        .all<EventRow>(
          `SELECT ${columns} FROM acceptance_events WHERE note_path = ? ORDER BY seq`,
          notePath,
        )
        .map(acceptanceOf);
    },
    async lastSeq() {
      return next(connection, "SELECT MAX(seq) AS last FROM acceptance_events") - 1;
    },
  };
}

/** No path, id or name holds it. */
const separator = "\0";

/**
 * The view's answer in one pass over the key. Handing over a row costs the driver more than reading it, so SQLite
 * makes one of each note. Grouping by the first column walks the key: the versions of a pair stand together, the
 * newest last.
 */
function* currentOf(connection: Connection): Iterable<NoteAcceptances> {
  const notes = connection.each<{
    readonly notePath: string;
    readonly gates: string;
    readonly noteBlobs: string;
    readonly decisions: string;
  }>(
    `SELECT note_path AS notePath,
       group_concat(concat_ws(?, gate_id, model, gate_blob, kind, format), ?) AS gates,
       group_concat(note_blob) AS noteBlobs, group_concat(decision) AS decisions
     FROM acceptance_events GROUP BY note_path`,
    separator,
    separator,
  );
  let [known, { gates, newest }] = ["", readGates("")];
  for (const note of notes) {
    if (note.gates !== known) [known, { gates, newest }] = [note.gates, readGates(note.gates)];
    const newestOf = <T>(text: string) => {
      const all = text.split(",");
      return (all.length === newest.length ? all : newest.map((at) => all[at])) as T[];
    };
    yield {
      notePath: note.notePath,
      gates,
      noteBlobs: newestOf<string>(note.noteBlobs),
      decisions: newestOf<Settled>(note.decisions),
    };
  }
}

/** The gates of a note's events, and the places of those that no later one of the same pair replaces. */
function readGates(text: string): {
  readonly gates: NoteAcceptances["gates"];
  readonly newest: readonly number[];
} {
  const fields = text.split(separator);
  const gates: NoteAcceptances["gates"][number][] = [];
  const newest: number[] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [gateId = "", model = "", gateBlob = "", kind, format = ""] = fields.slice(at, at + 5);
    if (gateId === fields[at + 5] && model === fields[at + 6]) continue;
    gates.push({ gateId, model, gateBlob, kind: kind as AcceptanceKind, format });
    newest.push(at / 5);
  }
  return { gates, newest };
}

export function dismissalRepo(connection: Connection): DismissalRepo {
  interface Row {
    readonly fingerprint: string;
    readonly note_path: string;
    readonly note_blob: string;
    readonly gate_id: string;
    readonly quote: string | null;
    readonly reason: string;
    readonly author: string;
    readonly dismissed_at: string;
  }
  return {
    async append(dismissal) {
      connection.run(
        `INSERT INTO dismissals (seq, fingerprint, note_path, note_blob, gate_id, quote, reason,
           author, dismissed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        next(connection, "SELECT MAX(seq) AS last FROM dismissals"),
        dismissal.fingerprint,
        dismissal.notePath,
        dismissal.noteBlob,
        dismissal.gateId,
        dismissal.quote ?? null,
        dismissal.reason,
        dismissal.by,
        dismissal.at,
      );
    },
    async all() {
      return connection.all<Row>("SELECT * FROM dismissals ORDER BY seq").map((row) => ({
        fingerprint: row.fingerprint,
        notePath: row.note_path,
        noteBlob: row.note_blob,
        gateId: row.gate_id,
        ...(row.quote === null ? {} : { quote: row.quote }),
        reason: row.reason,
        by: row.author,
        at: instant(row.dismissed_at),
      }));
    },
  };
}

const tablesOfPaths = {
  runGates: "review_run_gates",
  reviews: "gate_reviews",
  acceptances: "acceptance_events",
  dismissals: "dismissals",
} as const;

export function notePathRepo(connection: Connection): NotePathRepo {
  const each = (work: (table: string) => number): NotePathCounts => ({
    runGates: work(tablesOfPaths.runGates),
    reviews: work(tablesOfPaths.reviews),
    acceptances: work(tablesOfPaths.acceptances),
    dismissals: work(tablesOfPaths.dismissals),
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
      return each((table) =>
        connection.run(`UPDATE ${table} SET note_path = ? WHERE note_path = ?`, newPath, oldPath),
      );
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

function acceptanceOf(row: EventRow): AcceptanceRow {
  return {
    notePath: row.note_path,
    gateId: row.gate_id,
    model: row.model,
    seq: row.seq,
    noteBlob: row.note_blob,
    gateBlob: row.gate_blob,
    decision: row.decision,
    kind: row.kind,
    format: row.format,
    ...(row.review === null ? {} : { review: row.review }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.author === null ? {} : { by: row.author }),
    at: instant(row.accepted_at),
  };
}
