import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
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
