// Stores whose bytes or values were changed by something else. The program may refuse one with a name for the trouble;
// it may not fail in another way, and a draft that was never signed may not become a signed one.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { recoverStore } from "../../src/adapters/persistence/sqlite/rescue-store.ts";
import { WorkflowError } from "../../src/domain/values/workflow-error.ts";
import { createAccess } from "../../src/http/access.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";
import { prepareStudio } from "../../src/wiring/studio/studio.ts";
import { mutatedText, mutatedValue } from "./mutate.mjs";
import { prepareProject } from "./prepared-project.mjs";

const port = 4400;
const environment = readEnvironment({});

export async function open() {
  const { root, home, remove } = await prepareProject();
  const path = join(root, ".signoff", "signoff.db");
  const whole = new Database(path);
  whole.pragma("journal_mode = DELETE");
  const tables = whole.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const runs = whole.prepare("SELECT run FROM runs").pluck().all();
  whole.close();
  const bytes = readFileSync(path);
  const place = join(home, "damaged");
  return {
    next(chance) {
      const isBinary = chance.below(2) === 0;
      const change = isBinary ? changedBytes(bytes, chance) : changedValue(tables, chance);
      const isRecovered = chance.below(4) === 0;
      return {
        reader: `${isBinary ? "bytes" : "values"}${isRecovered ? ", recovered" : ""}`,
        shown: () => (isBinary ? "bytes" : JSON.stringify(change)),
        run: async () => {
          rmSync(place, { recursive: true, force: true });
          mkdirSync(join(place, ".signoff"), { recursive: true });
          const damaged = join(place, ".signoff", "signoff.db");
          writeFileSync(damaged, isBinary ? change : bytes);
          if (!isBinary) applyValue(damaged, change);
          if (isRecovered) await unlessRefused(() => recoverStore(damaged));
          return look(place, runs);
        },
      };
    },
    close: remove,
  };
}

function changedBytes(bytes, chance) {
  const copy = Buffer.from(bytes);
  for (let times = chance.below(4); times >= 0; times -= 1) {
    const at = chance.below(copy.length);
    const page = Math.floor(at / 4096) * 4096;
    const other = Math.floor(chance.below(copy.length) / 4096) * 4096;
    const kind = chance.below(6);
    if (kind < 2) copy[at] ^= 1 << chance.below(8);
    else if (kind === 2) copy.fill(0, page, page + 4096);
    else if (kind === 3) copy.copy(copy, other, page, page + 4096);
    else if (kind === 4) copy.fill(chance.below(256), at, at + chance.below(400));
    else return copy.subarray(0, at);
  }
  return copy;
}

const changedValue = (tables, chance) => ({
  table: chance.pick(tables),
  column: chance.below(40),
  row: chance.below(40),
  seed: chance.below(2 ** 31),
  chance,
});

/** Changes one value, or leaves the store as it is where the constraints of the table refuse the change. */
function applyValue(path, { table, column, row, chance }) {
  const store = new Database(path);
  store.pragma("ignore_check_constraints = ON");
  store.pragma("foreign_keys = OFF");
  try {
    const columns = store.pragma(`table_info(${table})`).map(({ name }) => name);
    const name = columns[column % columns.length];
    const keys = store.pragma(`table_info(${table})`).filter(({ pk }) => pk > 0);
    const picked = keys.map((key) => key.name).join(", ") || "rowid";
    const [found] = store
      .prepare(`SELECT ${picked}, ${name} AS value FROM ${table} LIMIT 1 OFFSET ${row}`)
      .all();
    if (found === undefined) return;
    const { value, ...key } = found;
    const where = Object.keys(key)
      .map((one) => `${one} = @${one}`)
      .join(" AND ");
    const changed = store.prepare(`UPDATE ${table} SET ${name} = @changed WHERE ${where}`);
    changed.run({ ...key, changed: otherThan(value, chance) });
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  } finally {
    store.close();
  }
}

function otherThan(value, chance) {
  if (Buffer.isBuffer(value))
    return Buffer.from(mutatedText(value.toString("latin1"), chance), "latin1");
  if (typeof value === "number") return chance.pick([-1, 0, 1, 2 ** 53, -(2 ** 53), 7e15, 42]);
  if (typeof value !== "string") return chance.pick(["", "x", 0, null, "{}"]);
  try {
    return JSON.stringify(mutatedValue(JSON.parse(value), chance)) ?? null;
  } catch {
    return mutatedText(value, chance);
  }
}

async function unlessRefused(act) {
  try {
    return await act();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

const isRefusal = (error) =>
  error instanceof WorkflowError || error instanceof Database.SqliteError;

/** Everything that the studio shows of runs. */
async function look(root, runs) {
  const reported = [];
  const loaded = await loadProjectSettings({ root, environment, flags: {} });
  const prepared = await unlessRefused(() =>
    prepareStudio({
      ...{ root, environment, loaded, port, adopt: false },
      author: { by: "Mira", knownHow: "flag" },
      report: (error) => reported.push(error),
    }),
  );
  if (prepared === undefined) return "refused";
  try {
    const access = createAccess(port);
    const app = prepared.appFor(access);
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${access.token}` };
    const read = async (path) => (await app.request(`/api/v1/${path}`, { headers })).json();
    for (const path of ["runs", "inbox", "costs", "health", "packs"]) await read(path);
    let isSigned = false;
    for (const run of runs) {
      for (const path of ["", "/calls"]) await read(`runs/${run}${path}`);
      for (const path of ["/turns", "/rulings"]) await read(`drafts/${run}${path}`);
      const draft = await read(`drafts/${run}`);
      isSigned ||= draft.user_input === "bottles" && draft.succeeded === true;
    }
    const bug = reported.find((error) => !isRefusal(error));
    if (bug !== undefined) throw bug;
    return isSigned ? "false approval" : "read";
  } finally {
    prepared.project.engine.interrupt("now");
    await prepared.hub.idle();
    await prepared.project.close();
    await prepared.telemetry.close();
  }
}
