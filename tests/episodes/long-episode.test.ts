import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { runId } from "../../src/domain/values/ids.ts";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

let home: string;
let cwd: string;
beforeEach(async () => {
  home = newFolder();
  await steps(home, ["init", "--episode-id", "marathon"]);
  cwd = join(home, "episodes/marathon");
  const minute = (at: number): string => {
    const time = `00:${String(at % 60).padStart(2, "0")}:00`;
    const words = Array.from(
      { length: 12 },
      (_, n) => `Loaf ${at * 12 + n} rose for ${n + 3} hours in kitchen ${at}.`,
    );
    return `${at < 60 ? time : ""} Ada: ${words.join(" ")}\n`;
  };
  writeFileSync(
    join(home, "talk.txt"),
    Array.from({ length: 150 }, (_, at) => minute(at)).join("\n"),
  );
  await steps(cwd, ["add", "--transcript", join(home, "talk.txt")], ["chunk"]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("a long episode is reduced in stages, one recorded call for each chunk and group", async () => {
  const ended = await signoff(["episode", "summarize", "--json"], { cwd });
  expect(ended.code).toBe(0);
  const { chunks, run_id: run } = JSON.parse(ended.stdout);
  expect(chunks).toBeGreaterThan(12);
  const store = openStore({ path: join(cwd, ".signoff/signoff.db"), mode: "read" });
  const lines = await store?.read(({ ledger }) => ledger.lines(runId(run), { limit: 500 }));
  store?.close();
  const keys = (lines ?? []).map(({ key }) => key);
  expect(keys.filter((key) => key.startsWith("chunk/"))).toHaveLength(chunks);
  expect(keys.filter((key) => key.startsWith("stage/1/"))).toHaveLength(Math.ceil(chunks / 12));
  expect(keys).toContain("episode");
  const summary = JSON.parse(treeOf(cwd)["summaries/episode/episode_summary.json"]!);
  expect(summary.key_points.length).toBeGreaterThan(0);
});

it("summaries stopped half-way go on without asking again for a chunk that was summed up", async () => {
  const stop = { SIGNOFF_STOP_AT: "reply-recorded:9" };
  const killed = await signoff(["episode", "summarize"], { cwd, env: stop });
  expect(killed.code).toBeNull();
  const ended = await signoff(["episode", "summarize", "--json"], { cwd });
  const { chunks, run_id: run } = JSON.parse(ended.stdout);
  const store = openStore({ path: join(cwd, ".signoff/signoff.db"), mode: "read" });
  const lines = await store?.read(({ ledger }) => ledger.lines(runId(run), { limit: 500 }));
  store?.close();
  const replied = (lines ?? []).filter(
    ({ key, state }) => key.startsWith("chunk/") && state === "replied",
  );
  expect(replied).toHaveLength(chunks);
  expect(new Set(replied.map(({ key }) => key)).size).toBe(chunks);
});
