import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtProgram } from "../../../../tests/support/built-program.ts";
import { type Key, key, runId } from "../../../domain/values/ids.ts";
import { recorded, sloganRun, takeLease } from "../../../testing/run-store-stories.ts";
import { openStore } from "./open-store.ts";

/** A process that commits in a row on a very slow disk, with the shortest of pauses. */
const tireless = `
  const database = new (require("better-sqlite3"))(process.argv[1]);
  const disk = new Int32Array(new SharedArrayBuffer(4));
  (function write() {
    database.exec("BEGIN IMMEDIATE");
    console.log("begun");
    Atomics.wait(disk, 0, 0, 500);
    database.exec("COMMIT");
    setTimeout(write, 1);
  })();`;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "signoff-processes-"));
  program = await builtProgram(
    new URL("../../../../tests/support/record-loop.ts", import.meta.url),
    folder,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function recordLoop(path: string, run: string, count: number): ChildProcess {
  return spawn(process.execPath, [program, path, run, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function* keysOf(child: ChildProcess): AsyncGenerator<Key> {
  for await (const line of createInterface({ input: child.stdout! })) {
    yield key(line);
  }
}

describe("processes that share a store", () => {
  it("create it together and lose none of 200 replies each", async () => {
    const path = join(folder, "together", "signoff.db");
    const runs = ["slogan", "podcast"];
    const codes = await Promise.all(
      runs.map(async (run) => {
        const child = recordLoop(path, run, 200);
        child.stdout!.resume();
        return (await once(child, "close"))[0];
      }),
    );
    expect(codes).toEqual([0, 0]);
    const store = openStore({ path, mode: "write" });
    for (const run of runs) {
      for (let turn = 1; turn <= 200; turn += 1) {
        const at = key("turn", turn);
        expect(await store.runs.find(runId(run), at)).toEqual(
          recorded(`reply ${turn} of ${run}`, at),
        );
      }
    }
    store.close();
  });

  it("have their turn, however slowly one of them commits in a row", async () => {
    const store = openStore({ path: join(folder, "slow", "signoff.db"), mode: "write" });
    const child = spawn(process.execPath, ["-e", tireless, store.path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    await once(child.stdout, "data");
    expect((await store.runs.create(sloganRun("slogan"))).state).toBe("queued");
    child.kill("SIGKILL");
    await closed;
    store.close();
  });

  it("finds every reply that was reported as safe to a process killed later", async () => {
    const path = join(folder, "killed", "signoff.db");
    const child = recordLoop(path, "slogan", 1_000_000);
    const closed = once(child, "close");
    const safe: Key[] = [];
    for await (const at of keysOf(child)) {
      safe.push(at);
      if (safe.length === 150) {
        child.kill("SIGKILL");
      }
    }
    expect(await closed).toEqual([null, "SIGKILL"]);
    expect(safe.length).toBeGreaterThanOrEqual(150);
    const store = openStore({ path, mode: "write" });
    for (const [at, name] of safe.entries()) {
      expect(await store.runs.find(runId("slogan"), name)).toEqual(
        recorded(`reply ${at + 1} of slogan`, name),
      );
    }
    const lease = await takeLease(store.runs, runId("slogan"), 2);
    await store.runs.record(lease, recorded("goes on", key("after")), []);
    store.close();
  });
});
