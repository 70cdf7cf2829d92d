import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, it, onTestFinished } from "vitest";
import { openTeam, type Team } from "../support/cluster.ts";
import { look } from "../support/cluster-drill.ts";
import { createDatabase } from "../support/postgres.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));

/** A migrated project, and one worker of its database that has none of its files. */
async function teamWith(settings: string): Promise<Team> {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  const parts = { database: database.url, models: "http://127.0.0.1:1" };
  const home = openTeam({ ...parts, settings });
  onTestFinished(() => home.close());
  const elsewhere = openTeam(parts);
  onTestFinished(() => elsewhere.close());
  await done(home, "store", "migrate");
  await elsewhere.startWorker("one");
  return home;
}

async function done(team: Team, ...words: readonly string[]): Promise<string> {
  const { code, output } = await team.run(...words);
  expect(code, output).toBe(0);
  return output;
}

/** `kind worker` or `kind home` for every finished run. */
async function executed(team: Team): Promise<readonly string[]> {
  const rows = await look<{ kind: string; task: string | null; state: string }>(
    team,
    "SELECT DISTINCT kind, task, state FROM runs ORDER BY kind",
  );
  for (const { kind, state } of rows) expect(state, kind).toBe("finished");
  return rows.map(({ kind, task }) => `${kind} ${task === null ? "home" : "worker"}`);
}

it("workers make the calls of a sweep; the sweep and its lock stay with the folder", async () => {
  const settings = "notes: { roots: [notes], gates: signoff/gates, allow_offline: true }";
  const home = await teamWith(settings);
  const notes = join(examples, "notes-with-gates");
  for (const name of ["allergens.md", "cake-orders.md"]) {
    cpSync(join(notes, "notes", name), join(home.folder, "notes", name));
  }
  const gates = join("signoff", "gates", "frontmatter");
  cpSync(join(notes, gates), join(home.folder, gates), { recursive: true });
  const review = ["notes", "review", "--model", "offline/rules"];
  expect(await done(home, ...review)).toMatch(/calls done/u);
  expect(await executed(home)).toEqual(["gate-review worker", "gate-sweep home"]);
  expect(readFileSync(join(home.folder, "signoff.lock"), "utf8").match(/^notes\//gmu)).toHaveLength(
    4,
  );
});

it("workers summarise, draft and review an episode; its files are written where the folder is", async () => {
  const home = await teamWith("notes: { allow_offline: true }");
  for (const name of ["transcript.txt", "chapters.txt"]) {
    cpSync(join(examples, "episode", name), join(home.folder, name));
  }
  const at = ["--workspace", "episodes/shelf"];
  await done(home, "episode", "init", "--episode-id", "shelf");
  const [transcript, chapters] = ["transcript.txt", "chapters.txt"];
  const hosts = ["--host", "Mira Olsen", "--host", "Tomas Reyes"];
  await done(
    home,
    ...["episode", "add", ...at, "--transcript", transcript, "--chapters", chapters],
    ...hosts,
  );
  await done(home, "episode", "chunk", ...at);
  for (const step of [["summarize"], ["draft"], ["review", "--asset-id", "mastodon"]]) {
    await done(home, "episode", ...step, ...at, "--model", "offline/rules");
  }
  expect(await executed(home)).toEqual([
    "episode-assets worker",
    "episode-draft worker",
    "episode-review worker",
    "episode-summarize worker",
  ]);
  const selected = join(home.folder, "episodes", "shelf", "copy", "selected");
  expect(existsSync(join(selected, "mastodon.txt"))).toBe(true);
});
