// A repository of many notes and gates with every pair accepted, made without reviewing anything.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Connection } from "../../dist/src/adapters/persistence/sqlite/connection.js";
import { openStore } from "../../dist/src/adapters/persistence/sqlite/open-store.js";

export function git(root, args, input) {
  const ran = spawnSync("git", args, { cwd: root, input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}

/** Writes notes and gates and commits them; returns path → blob id. */
export function makeRepository(root, { notes, gates }) {
  mkdirSync(root, { recursive: true });
  git(root, ["init", "--quiet", "--initial-branch=main"]);
  git(root, ["config", "user.name", "bench"]);
  git(root, ["config", "user.email", "bench@example.org"]);
  writeFileSync(join(root, "signoff.yaml"), "version: 1\nnotes: { allow_offline: true }\n");
  writeFileSync(join(root, ".gitignore"), ".signoff/\n");
  for (let at = 0; at < notes; at += 1) {
    const folder = join(root, "notes", `shelf-${String(at % 100).padStart(2, "0")}`);
    mkdirSync(folder, { recursive: true });
    const body = `Fact number ${at} is stated here in a few words and repeated in others.\n`.repeat(
      8,
    );
    const head = `---\ndescription: What is known of fact ${at}\nstatus: current\ntype: note\n---\n`;
    writeFileSync(join(folder, `fact-${at}.md`), `${head}# Fact ${at}\n\n${body}`);
  }
  mkdirSync(join(root, "signoff", "gates", "prose"), { recursive: true });
  for (let at = 0; at < gates; at += 1)
    writeFileSync(
      join(root, "signoff", "gates", "prose", `gate-${at}.md`),
      `---\ndescription: Gate ${at}\n---\nWarn if the note breaks rule ${at}.\n`,
    );
  git(root, ["add", "--all"]);
  git(root, ["commit", "--quiet", "--message", "Generated"]);
  const listed = git(root, ["ls-files", "-s", "-z", "notes", "signoff/gates"]);
  return new Map(
    listed
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => [line.slice(line.indexOf("\t") + 1), line.split(" ")[1]]),
  );
}

/** One acceptance for every pair, straight into the store. */
export function acceptEverything(root, blobs, model) {
  const path = join(root, ".signoff", "signoff.db");
  openStore({ path, mode: "write" }).close();
  const connection = new Connection({ path });
  const gates = [...blobs].filter(([name]) => name.startsWith("signoff/gates/"));
  let seq = 0;
  connection.begin("NORMAL");
  for (const [note, noteBlob] of blobs) {
    if (!note.startsWith("notes/")) continue;
    for (const [gate, gateBlob] of gates) {
      seq += 1;
      connection.run(
        `INSERT INTO acceptance_events (note_path, gate_id, model, seq, note_blob, gate_blob, decision,
           kind, format, accepted_at) VALUES (?, ?, ?, ?, ?, ?, 'pass', 'full-review', 'gates/1', '')`,
        note,
        gate.slice("signoff/gates/".length, -3),
        model,
        seq,
        noteBlob,
        gateBlob,
      );
    }
  }
  connection.commit();
  connection.close();
  return seq;
}
