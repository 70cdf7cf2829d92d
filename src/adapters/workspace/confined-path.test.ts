import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { confinedPath } from "./confined-path.ts";

let outside: string;
let root: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "kitchen-")));
  root = join(outside, "episode");
  mkdirSync(join(root, "copy"), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "yeast");
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

test("paths inside are resolved, whether they exist or not", async () => {
  expect(await confinedPath(root, "copy/selected/../slug.md")).toBe(join(root, "copy/slug.md"));
  expect(await confinedPath(root, "new/folder/file")).toBe(join(root, "new/folder/file"));
});

test.each([
  "",
  "..",
  "../secret.txt",
  "copy/../../secret.txt",
  "/etc/passwd",
  "C:\\x",
  "\\\\host\\x",
  "a\0b",
  ".",
])("%j is refused", async (path) => {
  await expect(confinedPath(root, path)).rejects.toMatchObject({ code: "path-escapes" });
});

test("links that leave the workspace are refused, at the end and on the way", async () => {
  symlinkSync(outside, join(root, "way"));
  symlinkSync(join(outside, "secret.txt"), join(root, "end.txt"));
  symlinkSync(join(outside, "not-there"), join(root, "nowhere"));
  symlinkSync(join(root, "copy"), join(root, "inside"));
  for (const path of ["way/secret.txt", "way/new.txt", "end.txt", "nowhere", "nowhere/x"]) {
    await expect(confinedPath(root, path)).rejects.toThrow(/link/);
  }
  expect(await confinedPath(root, "inside/slug.md")).toBe(join(root, "copy/slug.md"));
});

test("a folder whose name only begins like the workspace is outside", async () => {
  mkdirSync(`${root}-two`);
  await expect(confinedPath(root, "../episode-two/x")).rejects.toThrow(/leads out/);
});

test("a workspace that is itself reached through a link works", async () => {
  symlinkSync(root, join(outside, "shortcut"));
  expect(await confinedPath(join(outside, "shortcut"), "copy/a")).toBe(join(root, "copy/a"));
});
