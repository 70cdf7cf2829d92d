import { hash } from "node:crypto";
import { runId } from "../../../../domain/values/ids.ts";
import type { Json } from "../../../../domain/values/json.ts";
import type { StageRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";
import { insertRow, nextNumber } from "../rows.ts";

export function stageRepo(connection: Connection): StageRepo {
  const parsed = ({ data }: { readonly data: string }): Json => JSON.parse(data) as Json;
  return {
    async folders() {
      const rows = connection.all<{ folder: string }>("SELECT folder FROM stages ORDER BY folder");
      return rows.map(({ folder }) => folder);
    },
    async load(folder) {
      const stage = connection.get<{ data: string }>(
        "SELECT data FROM stages WHERE folder = ?",
        folder,
      );
      if (stage === undefined) return undefined;
      const entries = connection.all<{ data: string }>(
        "SELECT data FROM stage_entries WHERE folder = ? ORDER BY number",
        folder,
      );
      return { facts: parsed(stage), entries: entries.map(parsed) };
    },
    async record(folder, { facts, entries }) {
      connection.run(
        `INSERT INTO stages (folder, data) VALUES (?, ?)
         ON CONFLICT (folder) DO UPDATE SET data = excluded.data`,
        folder,
        JSON.stringify(facts),
      );
      const last = "SELECT MAX(number) AS last FROM stage_entries WHERE folder = ?";
      const first = nextNumber(connection, last, folder);
      for (const [index, entry] of entries.entries()) {
        const data = JSON.stringify(entry);
        insertRow(connection, "stage_entries", { folder, number: first + index, data });
      }
    },
    async runsBelow(kind, folder) {
      return runsBelow(connection, kind, folder).map(({ run }) => runId(run));
    },
    async digests(folder) {
      return { ...entryDigests(connection, folder), ...runDigests(connection, folder) };
    },
  };
}

interface LoopRow {
  readonly run: string;
  readonly state: string;
}

function runsBelow(connection: Connection, kind: string, folder: string): readonly LoopRow[] {
  const start = `${kind}/${folder}/`;
  return connection.all<LoopRow>(
    "SELECT run, state FROM runs WHERE kind = ? AND substr(job, 1, ?) = ? ORDER BY created_at, run",
    kind,
    start.length,
    start,
  );
}

function entryDigests(connection: Connection, folder: string): { readonly [name: string]: string } {
  const rows = connection.all<{ number: number; data: string }>(
    "SELECT number, data FROM stage_entries WHERE folder = ? ORDER BY number",
    folder,
  );
  const named = rows.map(({ number, data }) => [`store: entry ${number}`, hash("sha256", data)]);
  return Object.fromEntries(named) as { readonly [name: string]: string };
}

/** One digest for everything that a loop and its runs left. A loop that is being played changes and has none. */
function runDigests(connection: Connection, folder: string): { readonly [name: string]: string } {
  const digests: { [name: string]: string } = {};
  for (const { run, state } of runsBelow(connection, "pack-loop", folder)) {
    if (state === "running" || state === "queued") continue;
    const rows = whatRunsLeft.map((sql) =>
      connection.all<object>(`WITH mine AS (SELECT run FROM runs WHERE top = ?) ${sql}`, run),
    );
    digests[`store: run ${run}`] = hash("sha256", JSON.stringify(rows));
  }
  return digests;
}

const whatRunsLeft = [
  `SELECT r.run, r.job, r.state, r.ending, r.ending_text, j.input, j.input_text
   FROM mine JOIN runs r ON r.run = mine.run JOIN jobs j ON j.id = r.job ORDER BY r.run`,
  `SELECT c.run, c.key, c.digest, c.value, c.value_text
   FROM mine JOIN calls c ON c.run = mine.run ORDER BY c.run, c.key`,
  `SELECT e.run, e.seq, e.kind, e.data, e.data_text
   FROM mine JOIN events e ON e.run = mine.run ORDER BY e.run, e.seq`,
  `SELECT digest, plain, hex(deflated) AS deflated FROM texts WHERE digest IN (
     SELECT ending_text FROM runs JOIN mine ON mine.run = runs.run
     UNION SELECT input_text FROM jobs JOIN runs ON runs.job = jobs.id JOIN mine ON mine.run = runs.run
     UNION SELECT value_text FROM calls JOIN mine ON mine.run = calls.run
     UNION SELECT data_text FROM events JOIN mine ON mine.run = events.run) ORDER BY digest`,
];
