import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../tests/support/manual-clock.ts";
import { smallProgram } from "../../../../tests/support/small-programs.ts";
import { isAlive } from "../../../wiring/models/coders.ts";
import { systemClock } from "../../../wiring/project/system-clock.ts";
import { findProcess, processOwner } from "../../engines/process-owner.ts";
import { createCoderLedger } from "./coder-ledger.ts";
import { createCoderRunner, lastMessage } from "./coder-runner.ts";
import { coderPresets } from "./command-presets.ts";

const open = new AbortController().signal;
const runner = (environment = {}) =>
  createCoderRunner({
    cwd: process.cwd(),
    guard: () => undefined,
    clock: new ManualClock(),
    environment: { PATH: "/usr/bin:/bin", ...environment },
    ledger: {
      note: async () => ({ started: async () => undefined, forget: async () => undefined }),
      endOrphans: async () => [],
    },
  });

test("a coder gets the prompt, and all it prints and says comes back with its code", async () => {
  const program = await smallProgram("cat; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 3");
  const run = await runner()(
    { argv: [program], input: "Repair it.", timeoutMs: 60_000, reads: "text" },
    open,
  );
  expect(run).toMatchObject({ stdout: "Repair it.", exitCode: 3, timedOut: false });
  expect(run.stderr).toHaveLength(100_000);
});

test("a coder sees the keys of known agents and no other secret", async () => {
  const program = await smallProgram("cat >/dev/null; env");
  const secrets = { OPENAI_API_KEY: "for codex", SHOP_TOKEN: "not for you" };
  const run = await runner(secrets)(
    { argv: [program], input: "", timeoutMs: 60_000, reads: "text" },
    open,
  );
  expect(run.stdout).toContain("for codex");
  expect(run.stdout).not.toContain("not for you");
});

test("a coder is noted before it starts, though it waits for no prompt", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signoff-coders-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const self = processOwner();
  const ledger = createCoderLedger({
    folder,
    self,
    isAlive,
    find: findProcess,
    clock: systemClock,
  });
  const run = createCoderRunner({
    cwd: process.cwd(),
    guard: () => undefined,
    clock: systemClock,
    environment: { PATH: "/usr/bin:/bin" },
    ledger: {
      ...ledger,
      note: async (mark) => {
        const note = await ledger.note(mark);
        return { ...note, started: async () => undefined };
      },
    },
  });
  const program = await smallProgram(`cat "${folder}/$SIGNOFF_CODER.json"`);
  const { stdout } = await run(
    { argv: [program], input: "", timeoutMs: 60_000, reads: "text" },
    open,
  );
  expect(JSON.parse(stdout)).toEqual({ owner: self, mark: expect.stringMatching(/./u) });
  expect(await readdir(folder)).toEqual([]);
});

test("a coder that is not there is named", async () => {
  await expect(
    runner()({ argv: ["/nowhere/coder"], input: "", timeoutMs: 60_000, reads: "text" }, open),
  ).rejects.toMatchObject({ code: "coder-not-started" });
});

test("presets may write, and their last word is found inside what they print", () => {
  const { claude, codex } = coderPresets;
  expect(codex?.argv).toContain("workspace-write");
  expect(claude?.argv).toContain("acceptEdits");
  const word = '{"coder_status": "patched"}';
  expect(lastMessage(JSON.stringify({ type: "result", result: word }), "claude-json")).toBe(word);
  const events = [
    { type: "item.completed", item: { type: "agent_message", text: word } },
    { type: "turn.completed" },
  ];
  expect(lastMessage(events.map((event) => JSON.stringify(event)).join("\n"), "codex-json")).toBe(
    word,
  );
  expect(lastMessage("no envelope", "codex-json")).toBe("no envelope");
});
