import { env as surroundings } from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { openReviewServer, type ReviewServer } from "../support/review-server.ts";
import { listRuns, runSignoff, startSignoff } from "../support/signoff-process.ts";

const { PATH = "" } = surroundings;
const names = ["bread", "hours", "salt"];
const gates = ["prose/calm", "prose/short"];
const pairs = names.length * gates.length;
let shop: NotesRepository;
let server: ReviewServer;
beforeEach(async () => {
  shop = new NotesRepository();
  for (const name of names) shop.note(name, `All about ${name}.`);
  for (const gate of gates) shop.gate(gate, "Fail what shouts.");
  shop.commit();
  server = await openReviewServer();
});
afterEach(() => shop.remove());

const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startSignoff(["notes", ...args, "--model", ollamaWire.model, "--json"], {
    cwd: shop.root,
    env: { OLLAMA_BASE_URL: server.url, PATH, SIGNOFF_USER: "ada", ...env },
  });
const review = ["review", "--max-workers", "1"];
const sweeps = ["sweep", ...gates];
const left = (stdout: string) => JSON.parse(stdout).after;
const allFresh = { stale: 0, undecided: 0, failing: 0 };

describe("reviews in several processes", () => {
  it.each([
    ["review and sweep", [review, sweeps]],
    ["two reviews", [review, review]],
    ["eight of them", [review, sweeps, review, sweeps, review, sweeps, review, sweeps]],
  ])("pay for each pair once: %s", async (_, commands) => {
    const running = commands.map((command) => start(command));
    await server.planned(commands.length);
    server.release();
    for (const { stdout, stderr, code } of await Promise.all(running.map(({ ended }) => ended))) {
      expect([code, stderr]).toEqual([0, ""]);
      expect(left(stdout)).toEqual(allFresh);
    }
    expect(server.paid).toHaveLength(pairs);
  });

  it("take over what a killed process was asking, and its command does not ask it again", async () => {
    const first = start(review);
    await server.called(1);
    const second = start(sweeps);
    await server.planned(2);
    first.child.kill("SIGKILL");
    await server.called(2);
    const third = start(review);
    await server.planned(3);
    server.release();
    for (const { ended } of [second, third]) expect(left((await ended).stdout)).toEqual(allFresh);
    // The bundle that was lost with the first process.
    expect(server.paid).toHaveLength(pairs + gates.length);
    expect((await shop.notes("status", "--model", ollamaWire.model)).code).toBe(0);
  });

  it("do not ask again when the killed sweep itself is resumed", async () => {
    const first = start(review);
    await server.called(1);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = start(sweeps);
    await server.called(2);
    const at = { cwd: shop.root, env: { OLLAMA_BASE_URL: server.url, PATH } };
    const killed = (await listRuns(at)).find(({ state }) => state === "interrupted")?.run_id ?? "";
    server.release();
    expect(left((await second.ended).stdout)).toEqual(allFresh);
    await runSignoff(["runs", "resume", killed], at);
    const resumed = (await listRuns(at)).find(({ run_id: run }) => run === killed);
    expect(resumed?.state).toBe("finished");
    expect(server.paid).toHaveLength(pairs + gates.length);
  });

  it("refuse to retry what another process is asking", async () => {
    server.spoil(2);
    const one = [...review, "--note", "notes/bread.md"];
    expect((await start(one).ended).code).toBe(1);
    const second = start(one);
    await server.called(3);
    const retried = await shop.run(["notes", "retry", "1"], { OLLAMA_BASE_URL: server.url });
    expect(retried.code).toBe(2);
    expect(retried.err.replace(/\s+/gu, " ")).toContain(
      `process ${second.child.pid} is reviewing the same pairs`,
    );
    server.release();
    expect((await second.ended).code).toBe(0);
    expect(server.paid).toHaveLength(3 * gates.length);
  });

  it("use the reply that a killed process has recorded", async () => {
    const first = start(review, { SIGNOFF_STOP_AT: "reply-recorded" });
    await server.called(1);
    const second = start(sweeps);
    await server.planned(2);
    server.release();
    expect((await first.ended).signal).toBe("SIGKILL");
    const { code, stdout } = await second.ended;
    expect([code, left(stdout)]).toEqual([0, allFresh]);
    expect(server.paid).toHaveLength(pairs);
  });

  it("can be interrupted while they wait for another process", async () => {
    const first = start(review);
    await server.called(1);
    const second = start(["review", "--note", "notes/bread.md"]);
    await server.planned(2);
    second.child.kill("SIGINT");
    expect((await second.ended).code).toBe(130);
    server.release();
    expect((await first.ended).code).toBe(0);
    expect(server.paid).toHaveLength(pairs);
  });
});
