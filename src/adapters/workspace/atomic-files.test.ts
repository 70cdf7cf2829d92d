import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createSweeper,
  isTemporaryName,
  removeAbandonedTemporaries,
  writeFilesAtomically,
} from "./atomic-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "episode-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("writes every file of a batch, makes folders and leaves no temporary", async () => {
  await writeFilesAtomically([
    { path: join(folder, "copy/candidates/slug/one.json"), content: "{}\n" },
    { path: join(folder, "state.json"), content: new Uint8Array([123, 125]) },
  ]);
  expect(readFileSync(join(folder, "copy/candidates/slug/one.json"), "utf8")).toBe("{}\n");
  expect(readFileSync(join(folder, "state.json"), "utf8")).toBe("{}");
  expect(readdirSync(folder).sort()).toEqual(["copy", "state.json"]);
});

test("a batch that cannot be prepared changes nothing", async () => {
  writeFileSync(join(folder, "state.json"), "old");
  const blocked = join(folder, "n".repeat(300));
  mkdirSync(join(folder, "copy"));
  await expect(
    writeFilesAtomically([
      { path: join(folder, "state.json"), content: "new" },
      { path: join(folder, "copy", "x".repeat(20), "file"), content: "new" },
      { path: join(blocked, "file"), content: "new" },
    ]),
  ).rejects.toThrow(/ENAMETOOLONG/);
  expect(readFileSync(join(folder, "state.json"), "utf8")).toBe("old");
  expect(readdirSync(folder).filter(isTemporaryName)).toEqual([]);
});

test("a rename that fails removes the temporaries that are left", async () => {
  mkdirSync(join(folder, "state.json", "in-the-way"), { recursive: true });
  await expect(
    writeFilesAtomically([
      { path: join(folder, "first.json"), content: "1" },
      { path: join(folder, "state.json"), content: "2" },
      { path: join(folder, "third.json"), content: "3" },
    ]),
  ).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(["first.json", "state.json"]);
});

test("at every crash point a file holds its old or its new text, and files appear in the order given", async () => {
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), `old ${name}`);
  const seen: string[] = [];
  const look = (name: string): void => {
    seen.push(
      `${name}: ${["a", "b", "c"].map((file) => readFileSync(join(folder, file), "utf8")).join(", ")}`,
    );
  };
  await writeFilesAtomically(
    ["a", "b", "c"].map((name) => ({ path: join(folder, name), content: `new ${name}` })),
    { reach: look },
  );
  expect(seen).toEqual([
    "files-prepared: old a, old b, old c",
    "file-renamed: new a, old b, old c",
    "file-renamed: new a, new b, old c",
    "file-renamed: new a, new b, new c",
    "files-written: new a, new b, new c",
  ]);
});

test("only temporaries of dead processes of this machine are swept", async () => {
  const names: string[] = [];
  await writeFilesAtomically([{ path: join(folder, "state.json"), content: "{}" }], {
    reach: (name) => {
      if (name === "files-prepared") names.push(...readdirSync(folder).filter(isTemporaryName));
    },
  });
  const mine = names[0]!;
  const machine = mine.split("-")[1];
  writeFileSync(join(folder, mine), "");
  writeFileSync(join(folder, `.signoff-${machine}-999999999-1.tmp`), "");
  writeFileSync(join(folder, ".signoff-00000000-999999999-1.tmp"), "");
  writeFileSync(join(folder, ".state.json.keep.tmp"), "");
  expect(removeAbandonedTemporaries(folder)).toEqual([`.signoff-${machine}-999999999-1.tmp`]);
  expect(readdirSync(folder)).toHaveLength(4);
});

test("a batch may have more files than are open at once", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `note-${String(at).padStart(2, "0")}.md`);
  await writeFilesAtomically(names.map((name) => ({ path: join(folder, name), content: name })));
  expect(readdirSync(folder).sort()).toEqual(names);
  expect(names.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(names);
});

test("a sweeper looks into each folder once, however large it has grown since", async () => {
  const names: string[] = [];
  await writeFilesAtomically([{ path: join(folder, "turn_01.md"), content: "One" }], {
    reach: () => names.push(...readdirSync(folder).filter(isTemporaryName)),
  });
  const abandoned = names[0]!.replace(/-\d+-(\d+)\.tmp$/u, "-999999999-$1.tmp");
  const other = join(folder, "other-run");
  mkdirSync(other);
  const sweep = createSweeper();
  sweep(join(folder, "a-run-without-files"));
  for (const place of [folder, other]) {
    writeFileSync(join(place, abandoned), "");
    sweep(place);
    expect(readdirSync(place)).not.toContain(abandoned);
  }
  writeFileSync(join(folder, abandoned), "");
  sweep(folder);
  expect(readdirSync(folder)).toContain(abandoned);
});

test("a place that takes no folders is an error, not an endless try", async () => {
  const write = writeFilesAtomically([{ path: "/proc/signoff/notes.md", content: "One" }]);
  await expect(write).rejects.toMatchObject({ syscall: "mkdir" });
});
