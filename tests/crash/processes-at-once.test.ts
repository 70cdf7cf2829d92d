import { describe, expect, it } from "vitest";
import { holdSignoffAt } from "../support/held-process.ts";
import { ledgerOf } from "../support/run-evidence.ts";
import {
  inFolder,
  listRuns,
  runSignoff,
  startSignoff,
  writeScript,
} from "../support/signoff-process.ts";

const twoTurns = {
  creator: ["Hydrate Green, Live Clean", "Hydrate Green, Save Our Seas"],
  reviewer: ["Good rhythm but vague. Be specific about impact.", "SHIP IT!"],
};
const bottles = "eco-friendly water bottles";

describe("several processes on one project", () => {
  it("lose nothing when eight of them draft and others look on", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, twoTurns);
      const briefs = Array.from({ length: 8 }, (_, at) => `water bottles of colour ${at + 1}`);
      const drafts = briefs.map((brief) =>
        runSignoff(["draft", brief, "--script", script, "--json"], { cwd }),
      );
      const looks = [1, 2].map(() => runSignoff(["runs", "list", "--json"], { cwd }));
      for (const look of await Promise.all(looks)) {
        expect(look).toMatchObject({ code: 0, stderr: "" });
        expect(JSON.parse(look.stdout)).toHaveProperty("runs");
      }
      for (const draft of await Promise.all(drafts)) expect(draft).toMatchObject({ code: 0 });
      const runs = await listRuns({ cwd });
      expect(runs.map(({ title }) => title).sort()).toEqual(briefs);
      for (const { run_id: run, state, outcome } of runs) {
        expect({ state, outcome }).toEqual({ state: "finished", outcome: "approved" });
        expect((await ledgerOf(cwd, run)).map((call) => call.state)).toEqual(
          Array.from({ length: 4 }, () => "replied"),
        );
      }
      const doctor = await runSignoff(["doctor"], { cwd });
      expect(doctor.stdout).toContain("The store is intact.");
      expect(doctor.code).toBe(0);
    });
  });

  it("work on one brief one at a time: the second reports who holds it", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const first = await holdSignoffAt("reply-received:2", args, { cwd });
      expect(await listRuns({ cwd })).toMatchObject([{ state: "running", resumable: false }]);
      const second = await runSignoff(args, { cwd });
      expect(second.code).toBe(5);
      expect(second.stderr.replace(/\s+/gu, " ")).toContain(`held by process ${first.child.pid}`);
      const [run] = await listRuns({ cwd });
      const resumed = await runSignoff(["runs", "resume", run?.run_id ?? ""], { cwd });
      expect(resumed.code).toBe(5);
      await first.release();
      expect(await first.ended).toMatchObject({ code: 0 });
      expect(await listRuns({ cwd })).toMatchObject([{ state: "finished", outcome: "approved" }]);
    });
  });

  it("harm nothing when they begin the same brief in the same instant", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const all = await Promise.all([1, 2, 3, 4].map(() => runSignoff(args, { cwd })));
      const codes = all.map(({ code }) => code);
      expect(codes).toContain(0);
      expect(codes.filter((code) => code !== 0 && code !== 5)).toEqual([]);
      for (const run of await listRuns({ cwd })) {
        expect(run).toMatchObject({ state: "finished", outcome: "approved" });
        expect(await ledgerOf(cwd, run.run_id)).toHaveLength(4);
      }
      expect(await runSignoff(["doctor"], { cwd })).toMatchObject({ code: 0 });
    });
  });

  it("take a run over only from a process that is gone", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const first = await holdSignoffAt("reply-recorded:2", args, { cwd });
      first.child.kill("SIGKILL");
      expect(await first.ended).toMatchObject({ signal: "SIGKILL" });
      const [run] = await listRuns({ cwd });
      expect(run).toMatchObject({ state: "interrupted", resumable: true });
      const doctor = await runSignoff(["doctor"], { cwd });
      expect(doctor.code).toBe(1);
      expect(doctor.stdout).toContain("was interrupted");
      const resumed = await runSignoff(["runs", "resume", run?.run_id ?? "", "--json"], { cwd });
      expect(resumed.code).toBe(0);
      expect(JSON.parse(resumed.stdout)).toMatchObject({
        final_slogan: "Hydrate Green, Save Our Seas",
        usage: { calls: 4, replayed: 2 },
      });
      expect(await listRuns({ cwd })).toMatchObject([{ state: "finished", resumable: false }]);
      const doctorAgain = await runSignoff(["doctor"], { cwd });
      expect(doctorAgain.code).toBe(0);
    });
  });

  it("cancel a killed run at once, and for good", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const killed = await runSignoff(args, { cwd, env: { SIGNOFF_STOP_AT: "reply-recorded:1" } });
      expect(killed.signal).toBe("SIGKILL");
      const [run] = await listRuns({ cwd });
      const cancel = ["runs", "cancel", run?.run_id ?? "", "--reason", "wrong product", "--json"];
      const cancelled = await runSignoff(cancel, { cwd });
      expect(cancelled.code).toBe(0);
      expect(JSON.parse(cancelled.stdout)).toEqual({
        run_id: run?.run_id,
        state: "cancelled",
        reason: "wrong product",
      });
      const resumed = await runSignoff(["runs", "resume", run?.run_id ?? ""], { cwd });
      expect(resumed.code).toBe(2);
      expect(resumed.stderr).toContain("is cancelled");
    });
  });
});

describe("Ctrl-C", () => {
  it("once lets the call in flight be recorded, says how to go on, and asks nothing twice", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const first = await holdSignoffAt("attempt-started:2", args, { cwd });
      first.child.kill("SIGINT");
      await first.release();
      const ended = await first.ended;
      expect(ended).toMatchObject({ code: 130, signal: null });
      const [run] = await listRuns({ cwd });
      expect(run).toMatchObject({ state: "stopped", resumable: true });
      expect(ended.stderr).toContain("the call in flight is being recorded");
      expect(ended.stdout).toContain(`signoff runs resume ${run?.run_id}`);
      const before = await ledgerOf(cwd, run?.run_id ?? "");
      expect(before.map(({ state }) => state)).toEqual(["replied", "replied"]);
      const again = await runSignoff([...args, "--json"], { cwd });
      expect(again.code).toBe(0);
      expect(JSON.parse(again.stdout)).toMatchObject({ usage: { calls: 4, replayed: 2 } });
      expect(await listRuns({ cwd })).toHaveLength(1);
    });
  });

  it("before the run has begun starts no call at all", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const first = await holdSignoffAt("run-created", args, { cwd });
      first.child.kill("SIGINT");
      await first.release();
      expect(await first.ended).toMatchObject({ code: 130 });
      const [run] = await listRuns({ cwd });
      expect(await ledgerOf(cwd, run?.run_id ?? "")).toEqual([]);
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
    });
  });

  it("ends a wait for the next attempt at once", async () => {
    await inFolder(async (cwd) => {
      const fiveMinutes = 300_000;
      const busy = { code: "rate-limited", retryable: true, retry_after_ms: fiveMinutes };
      const script = await writeScript(cwd, { creator: [{ $error: busy }], reviewer: [] });
      const args = ["draft", bottles, "--script", script];
      const waiting = startSignoff(args, { cwd });
      let reported = "";
      // Once: what it says on its way out must not be answered with another signal.
      waiting.child.stderr?.on("data", (part: string) => {
        const isWaiting = reported.includes("retry");
        reported += part;
        if (!isWaiting && reported.includes("retry")) waiting.child.kill("SIGINT");
      });
      expect(await waiting.ended).toMatchObject({ code: 130, signal: null });
    });
  });

  it("twice stops at once and leaves a run that can go on", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
      const first = await holdSignoffAt("attempt-started:2", args, { cwd });
      // Two of one kind may arrive as one; the second press and a polite kill count alike.
      first.child.kill("SIGINT");
      first.child.kill("SIGTERM");
      await first.release();
      const ended = await first.ended;
      expect(ended).toMatchObject({ code: 130, signal: null });
      expect(ended.stderr).toContain("Stopping now.");
      expect(await listRuns({ cwd })).toMatchObject([{ state: "stopped", resumable: true }]);
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
    });
  });
});
