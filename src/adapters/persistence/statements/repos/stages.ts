import { hash } from "node:crypto";
import { runId } from "../../../../domain/values/ids.ts";
import type { Json } from "../../../../domain/values/json.ts";
import type { StageRepo } from "../../../../ports/repos.ts";
import { insertRow, nextNumber } from "../rows.ts";
import { storedJson } from "../texts.ts";
import { all, change, get, together, type Unit } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

function parsed({ data }: { readonly data: string }): Json {
  return storedJson(data);
}

export const stageRepo: UnitsOf<StageRepo> = {
  *folders() {
    const rows = yield* all<{ folder: string }>("SELECT folder FROM stages ORDER BY folder");
    return rows.map(({ folder }) => folder);
  },
  *countEntries() {
    const row = yield* get<{ count: number }>("SELECT COUNT(*) AS count FROM stage_entries");
    return row?.count ?? 0;
  },
  *load(folder) {
    const stage = yield* get<{ data: string }>("SELECT data FROM stages WHERE folder = ?", folder);
    if (stage === undefined) return undefined;
    const entries = yield* all<{ data: string }>(
      "SELECT data FROM stage_entries WHERE folder = ? ORDER BY number",
      folder,
    );
    return { facts: parsed(stage), entries: entries.map(parsed) };
  },
  *record(folder, { facts, entries }) {
    yield* change(
      `INSERT INTO stages (folder, data) VALUES (?, ?)
         ON CONFLICT (folder) DO UPDATE SET data = excluded.data`,
      folder,
      JSON.stringify(facts),
    );
    const last = "SELECT MAX(number) AS last FROM stage_entries WHERE folder = ?";
    const first = yield* nextNumber(last, folder);
    yield* together(
      ...entries.map((entry, index) => {
        const data = JSON.stringify(entry);
        return insertRow("stage_entries", { folder, number: first + index, data });
      }),
    );
  },
  *runsBelow(kind, folder) {
    return (yield* runsBelow(kind, folder)).map(({ run }) => runId(run));
  },
  *digests(folder) {
    return { ...(yield* entryDigests(folder)), ...(yield* runDigests(folder)) };
  },
};

type Digests = { readonly [name: string]: string };

interface LoopRow {
  readonly run: string;
  readonly state: string;
}

function* runsBelow(kind: string, folder: string): Unit<readonly LoopRow[]> {
  const start = `${kind}/${folder}/`;
  return yield* all<LoopRow>(
    "SELECT run, state FROM runs WHERE kind = ? AND substr(job, 1, ?) = ? ORDER BY created_at, run",
    kind,
    start.length,
    start,
  );
}

function* entryDigests(folder: string): Unit<Digests> {
  const rows = yield* all<{ number: number; data: string }>(
    "SELECT number, data FROM stage_entries WHERE folder = ? ORDER BY number",
    folder,
  );
  const named = rows.map(({ number, data }) => [`store: entry ${number}`, hash("sha256", data)]);
  return Object.fromEntries(named) as Digests;
}

/** One digest for everything that a loop and its runs left. A loop that is being played changes and has none. */
function* runDigests(folder: string): Unit<Digests> {
  const digests: { [name: string]: string } = {};
  for (const { run, state } of yield* runsBelow("pack-loop", folder)) {
    if (state === "running" || state === "queued") continue;
    const rows = yield* together(
      ...whatRunsLeft.map((sql) => all<object>(`${mine} ${sql}`, run)),
      textsOf(run),
    );
    digests[`store: run ${run}`] = hash("sha256", JSON.stringify(rows));
  }
  return digests;
}

const mine = "WITH mine AS (SELECT run FROM runs WHERE top = ?)";

/** Compressed texts as digits, so that both databases give the same digest. */
function* textsOf(run: string): Unit<readonly object[]> {
  const rows = yield* all<{ readonly deflated: Buffer | null }>(`${mine} ${textsOfRuns}`, run);
  return rows.map((row) => ({
    ...row,
    deflated: row.deflated?.toString("hex").toUpperCase() ?? "",
  }));
}

const whatRunsLeft = [
  `SELECT r.run, r.job, r.state, r.ending, r.ending_text, j.input, j.input_text
   FROM mine JOIN runs r ON r.run = mine.run JOIN jobs j ON j.id = r.job ORDER BY r.run`,
  `SELECT c.*
   FROM mine JOIN calls c ON c.run = mine.run ORDER BY c.run, c.key`,
  `SELECT e.run, e.seq, e.kind, e.data, e.data_text
   FROM mine JOIN events e ON e.run = mine.run ORDER BY e.run, e.seq`,
];

const textsOfRuns = `SELECT digest, plain, deflated FROM texts WHERE digest IN (
     SELECT ending_text FROM runs JOIN mine ON mine.run = runs.run
     UNION SELECT input_text FROM jobs JOIN runs ON runs.job = jobs.id JOIN mine ON mine.run = runs.run
     UNION SELECT value_text FROM calls JOIN mine ON mine.run = calls.run
     UNION SELECT prompt_text FROM calls JOIN mine ON mine.run = calls.run
     UNION SELECT system_text FROM calls JOIN mine ON mine.run = calls.run
     UNION SELECT data_text FROM events JOIN mine ON mine.run = events.run) ORDER BY digest`;
