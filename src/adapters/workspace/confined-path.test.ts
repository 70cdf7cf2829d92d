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

test("paths inside are resolved, whether they exist or not", () => {
  expect(confinedPath(root, "copy/selected/../slug.md")).toBe(join(root, "copy/slug.md"));
  expect(confinedPath(root, "new/folder/file")).toBe(join(root, "new/folder/file"));
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
])("%j is refused", (path) => {
  expect(() => confinedPath(root, path)).toThrow(expect.objectContaining({ code: "path-escapes" }));
});

test("links that leave the workspace are refused, at the end and on the way", () => {
  symlinkSync(outside, join(root, "way"));
  symlinkSync(join(outside, "secret.txt"), join(root, "end.txt"));
  symlinkSync(join(outside, "not-there"), join(root, "nowhere"));
  symlinkSync(join(root, "copy"), join(root, "inside"));
  for (const path of ["way/secret.txt", "way/new.txt", "end.txt", "nowhere", "nowhere/x"]) {
    expect(() => confinedPath(root, path)).toThrow(/link/);
  }
  expect(confinedPath(root, "inside/slug.md")).toBe(join(root, "copy/slug.md"));
});

test("a folder whose name only begins like the workspace is outside", () => {
  mkdirSync(`${root}-two`);
  expect(() => confinedPath(root, "../episode-two/x")).toThrow(/leads out/);
});

test("a workspace that is itself reached through a link works", () => {
  symlinkSync(root, join(outside, "shortcut"));
  expect(confinedPath(join(outside, "shortcut"), "copy/a")).toBe(join(root, "copy/a"));
});
