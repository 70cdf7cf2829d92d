import { rmSync } from "node:fs";
import { join } from "node:path";
import { Connection } from "../../../dist/src/adapters/persistence/sqlite/connection.js";
import { inFolder, interleaved, timed } from "../measure.mjs";
import { acceptEverything, makeRepository } from "../notes-generator.mjs";
import { cli, run, timeNode } from "../processes.mjs";

const rounds = 9;

/** 10,000 notes × 50 gates, all pairs accepted: the kept answer, and the first one. */
export function notesStatus() {
  return inFolder(async (folder) => {
    const root = join(folder, "repository");
    acceptEverything(root, makeRepository(root, { notes: 10_000, gates: 50 }), "offline/rules");
    const status = [cli, "notes", "status", "--json"];
    const forget = () => rmSync(join(root, ".signoff", "cache"), { recursive: true, force: true });
    const gitStatus = () => timed(() => run("git", ["status", "--porcelain"], { cwd: root }));
    const warm = await interleaved(rounds, {
      git: gitStatus,
      list: () => timeNode([cli, "runs", "list", "--json"], { cwd: root }),
      ours: () => timeNode(status, { cwd: root }),
    });
    const first = await interleaved(3, {
      git: gitStatus,
      rows: () => timed(() => readRows(join(root, ".signoff", "signoff.db"))),
      ours: () => {
        forget();
        return timeNode(status, { cwd: root });
      },
    });
    const name = "notes status, 500,000 pairs";
    return [
      {
        figure: `${name}, nothing changed`,
        unit: "ms",
        ours: warm.ours,
        bound: warm.git + warm.list,
        boundIs: "runs list --json and git status",
        target: 1.5,
      },
      {
        figure: `${name}, first run`,
        unit: "ms",
        ours: first.ours,
        bound: first.git + first.rows,
        boundIs: "git status and reading every acceptance once",
        target: 5,
      },
    ];
  });
}

function readRows(path) {
  const connection = new Connection({ path, queryOnly: true });
  let rows = 0;
  const columns = "note_path, gate_id, model, note_blob, gate_blob, decision";
  for (const _row of connection.each(`SELECT ${columns} FROM acceptance_events`)) rows += 1;
  connection.close();
  return rows;
}
