import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { keepKillStates, pointsIn } from "../support/kill-states.ts";
import { newFolder, signoff, steps } from "./episode-process.ts";

const env = { SIGNOFF_USER: "Ada Bell" };
let home: string;
/** Copies of one workspace, each as it is before the command named. */
const before: { [command: string]: string } = {};

beforeAll(async () => {
  home = newFolder();
  const cwd = join(home, "talk");
  await steps(home, ["init", "--episode-id", "talk", "--workspace", "talk"]);
  writeFileSync(join(cwd, "talk.txt"), "Ann: Bread needs two whole days in a cold kitchen.\n");
  writeFileSync(join(cwd, "chapters.txt"), "00:00 Bread\n");
  const keep = (command: string): void => {
    before[command] = join(home, command);
    cpSync(cwd, join(home, command, "talk"), { recursive: true });
  };
  const inputs = ["--transcript", "talk.txt", "--chapters", "chapters.txt", "--host", "Ann"];
  keep("add");
  await steps(cwd, ["add", ...inputs]);
  keep("chunk");
  await steps(cwd, ["chunk"]);
  keep("summarize");
  await steps(cwd, ["summarize"]);
  keep("draft");
  await steps(cwd, ["draft", "--asset-id", "slug", "-n", "2"]);
  keep("pick");
  await steps(cwd, ["review", "--asset-id", "slug"]);
  keep("unlock");
  keep("restart");
  keep("edit");
  writeFileSync(join(cwd, "copy/selected/slug.txt"), "slow-bread\n");
  keep("adopt");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function repliesIn(cwd: string): Promise<number> {
  const store = openStore({ path: join(cwd, ".signoff/signoff.db"), mode: "read" });
  const lines = await store?.read(async ({ ledger, runs }) => {
    const all = [];
    for (const { run } of await runs.list({ limit: 100 })) {
      all.push(...(await ledger.lines(run, { limit: 100 })));
    }
    return all;
  });
  store?.close();
  return (lines ?? []).filter(({ state }) => state === "replied").length;
}

const slug = ["--asset-id", "slug"];
const reason = ["--reason", "I read it"];
const candidateIn = (cwd: string): string =>
  /^candidate_(.+)\.json$/.exec(
    readdirSync(join(cwd, "copy/candidates/slug")).find((name) => name.endsWith(".json")) ?? "",
  )?.[1] ?? "";

async function statesIn(cwd: string) {
  const { stdout } = await signoff(["episode", "status", "--json"], { cwd, env });
  const { problems, checklist, assets } = JSON.parse(stdout);
  const texts = assets.map((one: { asset_id: string; state: string; is_locked: boolean }) => [
    one.asset_id,
    one.state,
    one.is_locked,
  ]);
  return { problems, checklist, texts };
}

/** The decision is in the files, or the run has ended. */
const isOver = (moment: string): boolean => moment.startsWith("run-end");

it.each([
  ["add", ["--transcript", "talk.txt", "--chapters", "chapters.txt", "--host", "Ann"]],
  ["chunk", []],
  ["summarize", []],
  ["draft", [...slug, "-n", "2"]],
  ["pick", [...slug, "--candidate-id"]],
  ["unlock", [...slug, ...reason]],
  ["adopt", [...slug, ...reason]],
  ["restart", [...slug, "--restart", ...reason]],
  ["edit", [...slug, "--text", "slow-bread", ...reason]],
])(
  "%s, killed anywhere, leaves files that can be read and is done by typing it again",
  async (name, flags) => {
    const from = before[name] ?? "";
    const command = ["episode", name === "restart" ? "review" : name, ...flags];
    const place = join(home, "at", name);
    const cwd = join(place, "talk");
    const start = (): void => {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(join(home, "at"), { recursive: true });
      cpSync(from, place, { recursive: true });
    };
    start();
    if (name === "pick") command.push(candidateIn(cwd));
    const log = join(home, `${name}.log`);
    const whole = await signoff(command, { cwd, env: { ...env, SIGNOFF_CRASH_LOG: log } });
    expect([whole.code, whole.stderr]).toEqual([0, expect.anything()]);
    const expected = await statesIn(cwd);
    const replies = await repliesIn(cwd);
    const moments = [...pointsIn(log)].flatMap(([point, times]) =>
      times === 1 ? [`${point}:1`] : [`${point}:1`, `${point}:2`],
    );
    start();
    const killed = await keepKillStates(command, { cwd, env }, moments);
    const first = moments.filter((moment) => moment.endsWith(":1"));
    expect(killed.reached).toEqual(expect.arrayContaining(first));
    for (const moment of killed.reached) {
      killed.restore(moment);
      const left = await statesIn(cwd);
      expect([moment, left.problems]).toEqual([moment, []]);
      const again = await signoff(command, { cwd, env });
      // There is nothing to unlock where the act was already kept.
      if (name === "unlock" && again.stderr.includes("Nothing of slug is locked")) {
        expect([moment, left]).toEqual([moment, expected]);
      } else expect([moment, again.code, again.stderr]).toEqual([moment, 0, expect.anything()]);
      expect([moment, await statesIn(cwd)]).toEqual([moment, expected]);
      // Typed again after its end, a command is a new wish.
      if (!isOver(moment)) expect([moment, await repliesIn(cwd)]).toEqual([moment, replies]);
    }
    killed.remove();
  },
);
