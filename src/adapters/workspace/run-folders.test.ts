import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunFolders } from "../../ports/run-folders.ts";
import { createRunFolders } from "./run-folders.ts";

let root: string;
let folders: RunFolders;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signoff-folders-"));
  folders = createRunFolders(root, { reach: () => undefined });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("files go into folders below, and a folder that is not there has no names", async () => {
  expect(await folders.names("out")).toEqual([]);
  await folders.write("out", [
    { name: "steps/one/turn.json", content: "{}\n" },
    { name: "pack_state.json", content: "{}\n" },
  ]);
  expect(await folders.names("out")).toEqual(["pack_state.json", "steps"]);
  expect(await folders.read("out", "steps/one/turn.json")).toBe("{}\n");
  expect(await folders.read("out", "steps/two/turn.json")).toBe(undefined);
});

test("a run set aside is whole, counted, and leaves its place free", async () => {
  await folders.write("out", [{ name: "steps/one/turn.json", content: "first\n" }]);
  expect(await folders.countSetAside("out")).toBe(0);
  expect(await folders.setAside("out", "run-1")).toBe("out.runs/run-1");
  expect(await folders.countSetAside("out")).toBe(1);
  expect(await folders.names("out")).toEqual([]);
  expect(await folders.read("out.runs/run-1", "steps/one/turn.json")).toBe("first\n");
});

test("moving the same thing twice keeps what was moved first", async () => {
  await folders.write("out", [{ name: "steps/one/turn.json", content: "first attempt\n" }]);
  await folders.move("out", "steps", "attempts/1/steps");
  await folders.write("out", [{ name: "steps/one/turn.json", content: "second attempt\n" }]);
  await folders.move("out", "steps", "attempts/1/steps");
  expect(await folders.read("out", "attempts/1/steps/one/turn.json")).toBe("first attempt\n");
  expect(await folders.read("out", "steps/one/turn.json")).toBe("second attempt\n");
  await folders.move("out", "never-there", "attempts/2/steps");
});

test("an absolute folder is taken as it is", async () => {
  const other = mkdtempSync(join(tmpdir(), "signoff-elsewhere-"));
  writeFileSync(join(other, "note.txt"), "mine");
  expect(await folders.names(other)).toEqual(["note.txt"]);
  rmSync(other, { recursive: true, force: true });
});

test("a folder below a file is refused by the file's name, and one that can be made is not made", async () => {
  writeFileSync(join(root, "notes.txt"), "");
  await expect(folders.requireWritable("notes.txt/out")).rejects.toMatchObject({
    code: "folder-unusable",
    message: expect.stringContaining("notes.txt is a file"),
  });
  await expect(folders.requireWritable("notes.txt")).rejects.toThrow("is a file");
  await folders.requireWritable("deep/below/out");
  expect(await folders.names(".")).toEqual(["notes.txt"]);
});
