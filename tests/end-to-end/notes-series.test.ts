import { rmSync } from "node:fs";
import { join } from "node:path";
import { env as surroundings } from "node:process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { openReviewServer, type ReviewServer } from "../support/review-server.ts";
import { runSignoff } from "../support/signoff-process.ts";

const { PATH = "" } = surroundings;
let shop: NotesRepository;
let server: ReviewServer;
beforeEach(async () => {
  shop = new NotesRepository();
  shop.note("salt", "Salt is kept dry.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.commit();
  server = await openReviewServer();
  server.release();
});
afterEach(() => shop.remove());

async function notes(...args: string[]) {
  const ended = await runSignoff([...args, "--model", ollamaWire.model, "--json"], {
    cwd: shop.root,
    env: { OLLAMA_BASE_URL: server.url, PATH, SIGNOFF_USER: "ada" },
  });
  return JSON.parse(ended.stdout);
}
const fresh = async () => (await notes("notes", "status")).fresh;

it("a series counts the first verdict, outvotes it, and is not made longer until it improves", async () => {
  server.say("FAIL");
  await notes("notes", "review");
  expect(await fresh()).toEqual({ pass: 0, warn: 0, fail: 1 });
  const plan = await notes("notes", "review", "--repeat", "3", "--plan");
  expect(plan).toMatchObject({ cost: { pairs: 2, calls: 2 } });
  expect(server.paid).toHaveLength(1);
  const done = await notes("notes", "review", "--repeat", "3");
  expect(done).toMatchObject({ votes: 1, planned: { calls: 2 }, actual: { completed: 2 } });
  expect(server.paid).toHaveLength(3);
  expect(await fresh()).toEqual({ pass: 1, warn: 0, fail: 0 });
  server.say("FAIL", "FAIL");
  expect(await notes("notes", "review", "--repeat", "5")).toMatchObject({ votes: 0 });
  expect(server.paid).toHaveLength(3);
  expect((await shop.notes("history", "notes/salt.md")).out).toContain(
    "series of 3: fail, pass, pass",
  );
  const verify = ["verify", "note", "--json"];
  const [standing] = JSON.parse((await shop.run(verify)).out).standings;
  expect(standing).toMatchObject({ accepted: true, support: "proven" });
  rmSync(join(shop.root, ".signoff"), { recursive: true });
  expect(await fresh()).toEqual({ pass: 1, warn: 0, fail: 0 });
});

it("a tie is the worse, and an answer that decides nothing objects", async () => {
  server.say("PASS", "WARN");
  expect(await notes("notes", "review", "--repeat", "2")).toMatchObject({ votes: 1 });
  expect(await fresh()).toEqual({ pass: 0, warn: 1, fail: 0 });
  shop.note("salt", "Salt is kept in jars.");
  server.say("PASS", "ERROR", "ERROR");
  await notes("notes", "review", "--repeat", "3");
  expect(await fresh()).toEqual({ pass: 0, warn: 0, fail: 1 });
});

it("one answer is no series, and panels vote by themselves", async () => {
  expect(await shop.notes("review", "--repeat", "1")).toMatchObject({ code: 2 });
  expect((await shop.notes("review", "--repeat", "3", "--again")).err).toContain(
    "cannot be combined",
  );
});
