import { isAscii } from "node:buffer";
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const built = fileURLToPath(new URL("../../dist/bin", import.meta.url));
/** From Node 22 on it keeps compiled code itself, and elsewhere. */
const isNodesOwn = "enableCompileCache" in nodeModule;

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "signoff-installed-")));
  cpSync(built, join(home, "dist", "bin"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The help of `runs`, by a program that was installed just now. */
function runsHelp(
  flags: readonly string[] = [],
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const program = join(home, "dist", "bin", "signoff.js");
    const child = spawn(process.execPath, [...flags, program, "runs", "--help"], {
      cwd: home,
      env: { HOME: home, TMPDIR: home },
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part) => {
      out += part;
    });
    child.stderr.on("data", (part) => {
      err += part;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
  });
}

function keptFiles(): readonly string[] {
  const folder = join(home, "dist", "compiled");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("compiled code is kept beside the program", () => {
  test("by the first start, and a second start says the same", async () => {
    const first = await runsHelp();
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("go on with a run");
    expect(keptFiles().length > 0).toBe(!isNodesOwn);
    expect(await runsHelp()).toEqual(first);
  });

  test.each([
    ["one bit differs", (bytes: Buffer) => flipped(bytes, bytes.length >> 1)],
    ["its own digest differs", (bytes: Buffer) => flipped(bytes, 3)],
    ["its end is missing", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ["its blocks were never written", (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ["nothing is in it", () => Buffer.alloc(0)],
  ])("and is not believed where %s", async (_damage, damage) => {
    const first = await runsHelp();
    const whole = new Map(keptFiles().map((path) => [path, readFileSync(path)]));
    for (const [path, bytes] of whole) writeFileSync(path, damage(bytes));
    expect(await runsHelp()).toEqual(first);
    for (const [path, bytes] of whole) expect(readFileSync(path)).not.toEqual(damage(bytes));
    expect(await runsHelp()).toEqual(first);
  });

  test("and is not taken for a program that has changed since, by a letter or two", async () => {
    await runsHelp();
    const chunks = join(home, "dist", "bin", "chunks");
    for (const name of readdirSync(chunks)) {
      const path = join(chunks, name);
      const text = readFileSync(path, "utf8");
      if (text.includes("go on with a run")) {
        writeFileSync(path, text.replaceAll("go on with a run", "go up with a run"));
      }
    }
    expect((await runsHelp()).out).toContain("go up with a run");
  });

  test("anew where V8 was started in another way", async () => {
    await runsHelp(["--max-old-space-size=256"]);
    const others = new Map(keptFiles().map((path) => [path, readFileSync(path)]));
    expect(others.size > 0).toBe(!isNodesOwn);
    const usual = await runsHelp();
    const usuals = new Map(keptFiles().map((path) => [path, readFileSync(path)]));
    for (const [path, bytes] of others) expect(usuals.get(path)).not.toEqual(bytes);
    expect(await runsHelp()).toEqual(usual);
    for (const [path, bytes] of usuals) expect(readFileSync(path)).toEqual(bytes);
  });

  test("or nowhere, if there is no place for it", async () => {
    writeFileSync(join(home, "dist", "compiled"), "a file where the folder should be");
    expect(await runsHelp()).toMatchObject({ code: 0, err: "" });
    expect(await runsHelp()).toMatchObject({ code: 0, err: "" });
  });

  test("whole, also where several start for the first time at once", async () => {
    const all = await Promise.all([runsHelp(), runsHelp(), runsHelp(), runsHelp()]);
    expect(new Set(all.map(({ code, err }) => `${code} ${err}`))).toEqual(new Set(["0 "]));
    const kept = keptFiles();
    expect(kept.filter((path) => !path.endsWith(".js"))).toEqual([]);
    expect(await runsHelp()).toEqual(all[0]);
    expect(keptFiles()).toEqual(kept);
  });
});

test("chunks hold ASCII only, which V8 loads in half the room", () => {
  const chunks = readdirSync(join(built, "chunks")).map((name) => join(built, "chunks", name));
  expect(chunks.filter((path) => !isAscii(readFileSync(path)))).toEqual([]);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(at) ^ 16, at);
  return changed;
}
