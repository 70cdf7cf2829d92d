import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));

test.each([["--version"], ["--help"]])("%s onto a full disk is reported in one line", (flag) => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [program, flag], {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
    timeout: 60_000,
  });
  closeSync(full);
  expect(stderr).toMatch(/^Error: The standard output cannot be written: .+\n$/u);
  expect(status).toBe(5);
});

test("nothing of PostgreSQL or the queue is loaded without a shared database", () => {
  const folder = mkdtempSync(join(tmpdir(), "signoff-bundle-"));
  const list = `data:text/javascript,${encodeURIComponent(
    'import { registerHooks } from "node:module"; registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });',
  )}`;
  for (const args of [
    ["--version"],
    ["--help"],
    ["draft", "a lamp", "--model", "offline/rules"],
    ["runs", "list"],
  ]) {
    const { stderr, status } = spawnSync(process.execPath, ["--import", list, program, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { HOME: folder, PATH: "/usr/bin:/bin" },
    });
    const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
    expect(status, stderr).toBe(0);
    expect(loaded.length).toBeGreaterThan(0);
    for (const file of loaded) {
      const text = readFileSync(fileURLToPath(file), "utf8");
      expect(/graphile_worker|pg_advisory_lock/u.test(text), `${args} loads ${file}`).toBe(false);
    }
  }
  rmSync(folder, { recursive: true });
});

describe("on a Node that is too old", () => {
  const sentence = "Signoff needs Node 22.18 or newer; this is Node 20.20.2.";
  const pretendOld =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';

  function runOld(...args: readonly string[]) {
    const preload = `data:text/javascript,${encodeURIComponent(pretendOld)}`;
    return spawnSync(process.execPath, ["--import", preload, ...args], { encoding: "utf8" });
  }

  test.each([["--version"], ["--help"], ["runs", "list"]])(
    "`signoff %s` exits with 2",
    (...args) => {
      expect(runOld(program, ...args)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: `Error: ${sentence}\n`,
      });
    },
  );

  test.each(["index.js", "testing.js"])("importing %s throws", (entry) => {
    const url = pathToFileURL(fileURLToPath(new URL(`../../dist/lib/${entry}`, import.meta.url)));
    const code = `import("${url}").catch(({ message }) => console.log(message))`;
    expect(runOld("-e", code)).toMatchObject({ status: 0, stdout: `${sentence}\n`, stderr: "" });
  });
});
