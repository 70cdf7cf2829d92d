import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { inFolder, interleaved } from "../measure.mjs";
import { cli, pathOf, runNode, timeNode } from "../processes.mjs";

const recordedTurns = 100;
const rounds = 11;

/** From typing `runs resume` after a SIGKILL to the first model call, which is where the process is killed again. */
export function resume() {
  return inFolder(async (cwd) => {
    const turns = recordedTurns + 50;
    const dead = runNode(
      [pathOf("./children/killed-loop.mjs"), cwd, turns, recordedTurns + 1].map(String),
    );
    if (dead.signal !== "SIGKILL") throw new Error(`the loop was not killed: ${dead.stderr}`);
    const path = join(cwd, ".signoff", "signoff.db");
    const run = soleRunOf(path);
    mkdirSync(join(cwd, "bench"));
    writeFileSync(join(cwd, "bench", String(turns)), '{"creator": [], "reviewer": []}');
    await inFolder((copy) => {
      // A killed process keeps nothing of what it compiled: one that ends has been here before.
      cpSync(cwd, copy, { recursive: true });
      runNode([cli, "runs", "resume", run, "--quiet"], { cwd: copy });
    });
    const env = { SIGNOFF_STOP_AT: "attempt-started" };
    const { ours, bound, bare } = await interleaved(rounds, {
      bare: () => timeNode(["-e", "0"], { cwd }),
      ours: () =>
        timeNode([cli, "runs", "resume", run, "--quiet"], { cwd, env, endsBy: "SIGKILL" }),
      bound: () =>
        timeNode([pathOf("./children/bare-resume.mjs"), path], { cwd, endsBy: "SIGKILL" }),
    });
    const figure = "resume at 100 turns";
    const boundIs = "open the store and read the record";
    return [
      // 100 ms are asked for where bare Node takes 24.
      { figure, unit: "ms", ours, bound: bare, boundIs: "node -e 0", target: 4.2 },
      { figure, unit: "ms", ours, bound, boundIs, target: 3 },
    ];
  });
}

function soleRunOf(path) {
  const database = new Database(path, { readonly: true });
  const run = database.prepare("SELECT run FROM runs").pluck().get();
  database.close();
  return run;
}
