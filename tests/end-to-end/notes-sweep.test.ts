import type { ServerResponse } from "node:http";
import { env as surroundings } from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLoopback, type Seen, sendJson } from "../support/loopback-server.ts";
import { NotesRepository } from "../support/notes-repository.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import {
  type EndedProcess,
  type RunningProcess,
  startSignoff,
} from "../support/signoff-process.ts";

const { PATH = "" } = surroundings;
const names = ["bread", "cake", "dough", "flour", "hours", "oven", "prices", "rye", "salt"];
let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  for (const name of names) shop.note(name, `What is known of ${name} stands here.`);
  shop.gate("prose/calm", "Fail what shouts.");
  shop.write("signoff.yaml", "version: 1\nlimits: { concurrency: { ollama: 4 } }\n");
  shop.commit();
});
afterEach(() => shop.remove());

const startReview = (url: string, ...more: string[]): RunningProcess =>
  startSignoff(["notes", "review", "--model", ollamaWire.model, "--json", ...more], {
    cwd: shop.root,
    env: { OLLAMA_BASE_URL: url, PATH, SIGNOFF_USER: "ada" },
  });
const review = (url: string, ...more: string[]): Promise<EndedProcess> =>
  startReview(url, ...more).ended;

const pass = ({ text }: Seen): string => {
  const nonce = /GATE REVIEW START (\w+): prose\/calm/.exec(text)?.[1];
  const name = (kind: string) => `=== GATE REVIEW ${kind} ${nonce}: prose/calm ===`;
  return `${name("START")}\n### Summary\n\nCalm.\n\n## Result: PASS\n${name("END")}\n`;
};

describe("a sweep of nine notes", () => {
  it("interrupted lets the call in flight finish, keeps it, and goes on with the rest", async () => {
    let interrupt = (): void => {};
    const server = await openLoopback((seen, response) => {
      if (seen.path !== ollamaWire.askPath)
        return sendJson(response, 200, ollamaWire.list(["mistral:latest"]));
      interrupt();
      ollamaWire.send(response, { parts: [pass(seen)] });
    });
    const asked = () => server.seen.filter(({ path }) => path === ollamaWire.askPath).length;
    const sweep = startReview(server.url, "--max-workers", "1");
    // Once: a call that was on its way already must not press a second time, which would give it up.
    interrupt = () => {
      interrupt = () => {};
      sweep.child.kill("SIGINT");
    };
    const { code, stdout } = await sweep.ended;
    expect(code).toBe(130);
    const done = asked();
    expect(done).toBeLessThan(names.length);
    expect(JSON.parse(stdout).after.stale).toBe(names.length - done);
    expect((await review(server.url)).code).toBe(0);
    expect(asked()).toBe(names.length);
  });

  it("asks once, then four at a time, and holds the versions it worked on in its log", async () => {
    const waiting: [Seen, ServerResponse][] = [];
    const groups: number[] = [];
    const server = await openLoopback((seen, response) => {
      if (seen.path !== ollamaWire.askPath)
        return sendJson(response, 200, ollamaWire.list(["mistral:latest"]));
      waiting.push([seen, response]);
      if (waiting.length < (groups.length === 0 ? 1 : 4)) return;
      groups.push(waiting.length);
      for (const [asked, answer] of waiting.splice(0))
        ollamaWire.send(answer, { parts: [pass(asked)] });
    });
    const log = ["--log-level", "debug", "--log-file", "review.log"];
    const { code, stdout } = await review(server.url, ...log);
    expect(code).toBe(0);
    expect(groups).toEqual([1, 4, 4]);
    expect(JSON.parse(stdout).after).toEqual({ stale: 0, undecided: 0, failing: 0 });
    const lines = shop.read("review.log").trim().split("\n");
    const steps = lines.map((line) => JSON.parse(line));
    const salt = shop.git("hash-object", "notes/salt.md").trim();
    const gate = shop.git("hash-object", "signoff/gates/prose/calm.md").trim();
    for (const event of ["pair-stale", "pair-captured", "pair-filed"]) {
      const reported = steps.filter((step) => step.event === event);
      expect(reported).toHaveLength(names.length);
      const versions = { note: "notes/salt.md", note_blob: salt, gate_blob: gate };
      expect(reported).toContainEqual(expect.objectContaining(versions));
    }
  });
});
