import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { watchCode } from "./code-state.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "signoff-code-test-"));
  await mkdir(join(root, "src/answers"), { recursive: true });
  await write("src/answers/stock.ts", "stock\n");
  await write("src/scope.ts", "scope\n");
  await write("README.md", "The shop\n");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const variables = { PATH: "/usr/bin:/bin", HOME: tmpdir() };

function write(name: string, text: string): Promise<void> {
  return writeFile(join(root, name), text);
}

function git(...args: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const { stdout, status, stderr } = spawnSync("git", [...who, ...args], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function initGit(): void {
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "The shop");
}

test("in git every change is seen, new files and commits included, and the repository is left alone", async () => {
  initGit();
  await write("src/scope.ts", "scope, half done\n");
  const status = git("status", "--porcelain");
  const objects = git("count-objects");
  const changes = await watchCode(root, [], variables);
  expect(git("status", "--porcelain")).toBe(status);
  expect(git("count-objects")).toBe(objects);
  await write("src/answers/stock.ts", "stock of today\n");
  git("add", "src/answers/stock.ts");
  git("commit", "--quiet", "--message", "Today");
  await write("src/new.ts", "new\n");
  const change = await changes();
  expect(change).toMatchObject({
    kind: "git",
    changedFiles: ["src/answers/stock.ts", "src/new.ts"],
  });
  expect(change.before).not.toBe(change.after);
  expect(change.diffStat).toContain("2 files changed");
});

test("in git nothing changed is the same hash", async () => {
  initGit();
  const change = await (await watchCode(root, [], variables))();
  expect(change.changedFiles).toEqual([]);
  expect(change.before).toBe(change.after);
});

test("outside git the files of the globs are watched, and no others", async () => {
  const changes = await watchCode(root, ["src/**/*.ts", "src/s?ope.ts"], variables);
  await write("README.md", "The shop, closed\n");
  await write("src/scope.ts", "scope of today\n");
  await write("src/answers/sales.ts", "sales\n");
  await rm(join(root, "src/answers/stock.ts"));
  expect(await changes()).toMatchObject({
    kind: "files",
    changedFiles: ["src/answers/sales.ts", "src/answers/stock.ts", "src/scope.ts"],
    diffStat:
      "src/answers/sales.ts | added\nsrc/answers/stock.ts | removed\nsrc/scope.ts | changed\n",
  });
});

test("nothing of it stays behind", async () => {
  initGit();
  // The usual one is shared with whoever else watches code at this moment.
  const own = await mkdtemp(join(tmpdir(), "signoff-code-test-"));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  vi.stubEnv("TMPDIR", own);
  onTestFinished(() => void vi.unstubAllEnvs());
  const changes = await watchCode(root, [], variables);
  expect(await readdir(own)).toHaveLength(1);
  await changes();
  expect(await readdir(own)).toEqual([]);
});
