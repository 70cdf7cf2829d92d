import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLoopback } from "../support/loopback-server.ts";
import { runSignoff, standIns, startSignoff } from "../support/signoff-process.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "signoff-json-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

describe("--json prints one document", () => {
  it.each<[string, readonly string[], string]>([
    ["an unknown command", ["drfat", "a bottle"], "usage"],
    ["an unknown flag", ["draft", "a bottle", "--louder"], "usage"],
    ["a missing argument", ["runs", "show"], "usage"],
    ["an empty brief", ["draft", ""], "request-invalid"],
    ["numbers that are none", ["draft", "a bottle", "--max-turns", "NaN"], "request-invalid"],
    ["a negative budget", ["draft", "a bottle", "--budget", "-1usd"], "request-invalid"],
    ["a run that is not there", ["runs", "show", "3fa85f64"], "run-unknown"],
    ["a page of no runs", ["runs", "list", "-n", "0"], "usage"],
    ["a page beyond all numbers", ["runs", "list", "-n", "99999999999999999999"], "usage"],
    ["a reason that says nothing", ["runs", "cancel", "3fa85f64", "--reason", " "], "usage"],
    [
      "a question that is not there",
      ["inbox", "answer", "q", "--choice", "go"],
      "decision-unknown",
    ],
    ["a setting that is not there", ["config", "set", "modles.writer", "x"], "setting-refused"],
    ["a recipe that is not there", ["recipes", "show", "limerick"], "recipe-unknown"],
  ])("about %s", async (_title, args, problem) => {
    const { stdout, stderr, code } = await runSignoff([...args, "--json"], { cwd });
    expect(code, stderr).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: problem, message: expect.stringMatching(/\S/u) },
    });
    expect(stderr).not.toBe("");
  });

  it("about a run without a name, and does not take it for the only run there is", async () => {
    const replies = {
      creator: [{ content: "Refill.", done: true }],
      reviewer: [{ verdict: "ok" }],
    };
    writeFileSync(join(cwd, "replies.json"), JSON.stringify(replies));
    await runSignoff(["draft", "a bottle", "--script", "replies.json", "-q"], { cwd });
    for (const act of ["show", "delete", "cancel", "resume", "export"]) {
      const { stdout, code } = await runSignoff(["runs", act, "", "--json"], { cwd });
      expect([act, code, JSON.parse(stdout).error.code]).toEqual([act, 2, "run-unknown"]);
    }
    const { stdout } = await runSignoff(["runs", "list", "--json"], { cwd });
    expect(JSON.parse(stdout).runs).toHaveLength(1);
  });

  it("about a draft that could not begin", async () => {
    writeFileSync(join(cwd, "signoff.yaml"), "version: 1\nmodles: {}\n");
    const { stdout, code } = await runSignoff(["draft", "a bottle", "--json", ...standIns], {
      cwd,
    });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toContain("modles");
  });

  it("about a setting, with each problem as a sentence", async () => {
    const flags = ["--manifest", "pack.yaml", "--assistant-url", "shop", "--json"];
    const { stdout, code } = await runSignoff(["pack", "run", ...flags], { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.details).toEqual([
      "--assistant-url (flag): must be a URL that begins with http, https, ws or wss, or command:NAME",
    ]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("about a %s before the run has begun", async (signal) => {
    let heard: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const { url } = await openLoopback(() => heard());
    const args = ["draft", "a bottle", "--model", "mistral", "--base-url", url, "--json"];
    const { child, ended } = startSignoff(args, { cwd });
    await asked;
    child.kill(signal);
    const { stdout, code } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "interrupted" } });
  });

  it("and none where the standard output was not asked for one", async () => {
    const { stdout, code } = await runSignoff(["runs", "show", "--", "--json"], { cwd });
    expect([stdout, code]).toEqual(["", 2]);
  });
});
