import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSignoff } from "../support/signoff-process.ts";

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
    ["a negative budget", ["draft", "a bottle", "--budget", "-1usd"], "flag-invalid"],
    ["a run that is not there", ["runs", "show", "3fa85f64"], "run-unknown"],
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

  it("about a draft that could not begin", async () => {
    writeFileSync(join(cwd, "signoff.yaml"), "version: 1\nmodles: {}\n");
    const { stdout, code } = await runSignoff(["draft", "a bottle", "--json"], { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toContain("modles");
  });

  it("and none where the standard output was not asked for one", async () => {
    const { stdout, code } = await runSignoff(["runs", "show", "--", "--json"], { cwd });
    expect([stdout, code]).toEqual(["", 2]);
  });
});
