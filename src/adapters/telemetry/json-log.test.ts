import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../../domain/settings/redactor.ts";
import { actingCharacters } from "../../domain/values/visible.ts";
import { openJsonLog } from "./json-log.ts";

it("writes one object per line, which does nothing to whoever prints the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "signoff-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "below", "signoff.log");
  const clock = { now: () => "2026-03-02T08:00:00.000Z" as never };
  const log = openJsonLog({ path, level: "info", clock, redactor: createRedactor(["se-cret-7"]) });
  const said = "503 se-cret-7\n\u001B[2J\u009B5m\u202E\u2028##vso[task.complete]";
  log("error", "call-failed", { said });
  log("debug", "call-failed", { said });
  const text = readFileSync(path, "utf8");
  expect(text.split("\n")).toHaveLength(2);
  expect(text.match(actingCharacters)).toBeNull();
  expect(text).not.toContain("##vso[");
  expect(JSON.parse(text)).toMatchObject({
    level: "error",
    said: said.replace("se-cret-7", "[redacted]"),
  });
});

it("refuses a path that cannot be written, and goes on when a file cannot be written any more", () => {
  const folder = mkdtempSync(join(tmpdir(), "signoff-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = { now: () => "2026-03-02T08:00:00.000Z" as never };
  const open = (path: string) =>
    openJsonLog({ path, level: "info", clock, redactor: createRedactor([]) });
  expect(() => open(folder)).toThrow(expect.objectContaining({ code: "log-unwritable" }));
  const path = join(folder, "signoff.log");
  const log = open(path);
  expect(existsSync(path)).toBe(false);
  mkdirSync(path);
  expect(() => log("info", "run-ended", {})).not.toThrow();
});
