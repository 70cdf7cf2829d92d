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
    const killed = runNode(
      [pathOf("./children/killed-loop.mjs"), cwd, turns, recordedTurns + 1].map(String),
    );
    if (killed.signal !== "SIGKILL") throw new Error(`the loop was not killed: ${killed.stderr}`);
    const run = onlyRunIn(join(cwd, ".signoff", "signoff.db"));
    mkdirSync(join(cwd, "bench"));
    writeFileSync(join(cwd, "bench", String(turns)), '{"creator": [], "reviewer": []}');
    await inFolder((copy) => {
      // A killed process does not write Node's compile cache, so one resume runs to its end first.
      cpSync(cwd, copy, { recursive: true });
      runNode([cli, "runs", "resume", run, "--quiet"], { cwd: copy });
    });
    const env = { SIGNOFF_STOP_AT: "attempt-started" };
    const { ours, bare } = await interleaved(rounds, {
      bare: () => timeNode(["-e", "0"], { cwd }),
      ours: () =>
        timeNode([cli, "runs", "resume", run, "--quiet"], { cwd, env, endsBy: "SIGKILL" }),
    });
    const figure = "resume at 100 turns, to the first call";
    return [{ figure, unit: "ms", ours, bound: bare, boundIs: "node -e 0", target: 9 }];
  });
}

function onlyRunIn(path) {
  const database = new Database(path, { readonly: true });
  const run = database.prepare("SELECT run FROM runs").pluck().get();
  database.close();
  return run;
}
