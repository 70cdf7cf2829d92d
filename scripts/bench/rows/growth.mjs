import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { openLoops } from "../loops.mjs";
import { inFolder, median } from "../measure.mjs";

const turns = 300;
const stretch = 50;
const rounds = 5;

/** One loop of 300 turns: its last turns against its first ones, and its bytes against what was said. */
export async function growth() {
  const firsts = [];
  const lasts = [];
  let bytes;
  for (let round = 0; round <= rounds; round += 1) {
    const { durations, stored } = await inFolder(longLoop);
    if (round === 0) continue;
    firsts.push(median(durations.slice(0, stretch)));
    lasts.push(median(durations.slice(-stretch)));
    bytes = stored;
  }
  return [
    {
      figure: "turn 300 of one loop",
      unit: "µs",
      ours: median(lasts),
      bound: median(firsts),
      boundIs: "the first turns of the same loop",
      target: 1.3,
    },
    {
      figure: "stored per turn",
      unit: "kB",
      ours: bytes.stored / turns / 1000,
      bound: bytes.payload / turns / 1000,
      boundIs: "prompts, replies and events as text",
      target: 1.5,
    },
  ];
}

async function longLoop(folder) {
  const starts = [];
  const onCall = ({ role }) => {
    if (role === "creator") starts.push(performance.now());
  };
  const loops = openLoops(folder, { onCall });
  const warmUp = 30;
  await loops.runLoop(warmUp);
  const before = sizeOf(loops);
  starts.length = 0;
  const run = await loops.runLoop(turns);
  const durations = starts.slice(1).map((at, index) => (at - starts[index]) * 1000);
  const stored = sizeOf(loops) - before;
  const payload = payloadOf(loops.path, run);
  loops.close();
  return { durations, stored: { stored, payload } };
}

/** Everything is in the one file once the log is folded into it. */
function sizeOf({ path }) {
  const database = new Database(path);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
  return statSync(path).size;
}

function payloadOf(path, run) {
  const database = new Database(path, { readonly: true });
  const sum = (sql) => database.prepare(sql).pluck().get(run);
  const said = sum(
    "SELECT SUM(LENGTH(CAST(value AS BLOB)) + LENGTH(CAST(reply AS BLOB)) + LENGTH(CAST(prompt AS BLOB))) FROM calls WHERE run = ?",
  );
  const events = sum("SELECT SUM(LENGTH(CAST(data AS BLOB))) FROM events WHERE run = ?");
  const apart = sum(
    "SELECT (SELECT COUNT(*) FROM calls WHERE reply IS NULL OR prompt IS NULL) + (SELECT COUNT(*) FROM events WHERE data IS NULL) WHERE ? IS NOT NULL",
  );
  database.close();
  if (apart > 0) throw new Error("texts are stored apart: the payload cannot be read off the rows");
  return said + events;
}
