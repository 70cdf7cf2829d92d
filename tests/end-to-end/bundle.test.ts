import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Requires each chunk as if nothing else had been loaded, and makes a warning about a circle of chunks an error. */
const loadEachAlone = `
  process.emitWarning = (warning) => { throw new Error(String(warning)); };
  for (const name of require("node:fs").readdirSync(".")) {
    for (const loaded of Object.keys(require.cache)) delete require.cache[loaded];
    require(require("node:path").resolve(name));
  }`;

test.each(["bin", "lib"])("each chunk of dist/%s can be the first that is loaded", (bundle) => {
  const cwd = fileURLToPath(new URL(`../../dist/${bundle}/chunks`, import.meta.url));
  const { stderr, status } = spawnSync(process.execPath, ["-e", loadEachAlone], {
    cwd,
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});

test("the help does not load what starts programs", () => {
  const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
  const listing = `
    process.argv = [process.execPath, ${JSON.stringify(program)}, "--help"];
    process.on("exit", () => console.error(process.moduleLoadList.join("\\n")));
    require(process.argv[1]);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", listing], { encoding: "utf8" });
  expect(stdout).toContain("Usage: signoff");
  expect(stderr.split("\n")).toContain("NativeModule path");
  expect(stderr.split("\n")).not.toContain("NativeModule child_process");
});

test.each([["--version"], ["--help"]])("%s onto a full disk is told in one line", (asked) => {
  const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [program, asked], {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
    timeout: 60_000,
  });
  closeSync(full);
  expect(stderr).toMatch(/^Error: The standard output cannot be written: .+\n$/u);
  expect(status).toBe(5);
});
