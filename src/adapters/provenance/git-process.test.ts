import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { watchCode } from "./code-state.ts";
import { gitIn } from "./git-process.ts";
import { readBlobs } from "./git-tree.ts";
import { SnapshotLoader } from "./snapshot-loader.ts";

function openRepository() {
  const folder = mkdtempSync(join(tmpdir(), "signoff-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "evil.sh");
  const mark = join(folder, "started");
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(program, 0o755);
  const path = (...names: readonly string[]) => join(folder, ...names);
  const own = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd: folder });
  const commit = (at = ".") => {
    own("init", "--quiet", at);
    writeFileSync(path(at, "note.md"), "one\n");
    own("-C", at, "add", ".");
    own("-C", at, "commit", "--quiet", "--message", "x");
  };
  const started = () => existsSync(mark);
  return { folder, program, path, own, commit, started };
}

const variables = { PATH: "/usr/bin:/bin", HOME: tmpdir() };
const other = "two, and longer\n";

it("starts no program that a copied repository configures", async () => {
  const { folder, program, path, own, commit, started } = openRepository();
  commit();
  writeFileSync(path(".gitattributes"), "*.md filter=evil diff=evil\n");
  for (const name of [
    ...["core.fsmonitor", "filter.evil.clean", "filter.evil.process", "diff.external"],
    ...["diff.evil.command", "diff.evil.textconv"],
  ]) {
    own("config", name, program);
  }
  own("config", "filter.evil.required", "true");
  writeFileSync(path("note.md"), other);
  const git = gitIn(folder);
  await git(["status", "--porcelain=v2", "-z", "--untracked-files=all"]);
  await git(["diff", "--stat", "HEAD"]);
  await git(["diff", "--name-only", "-z", "HEAD"]);
  const id = await git(["hash-object", "--stdin-paths"], "note.md\n");
  expect(id.toString("utf8")).toMatch(/^[0-9a-f]{40}\n$/u);
  expect(started()).toBe(false);
});

it.each([
  ["an equals sign", Buffer.from("a=b")],
  ["a byte that is no text", Buffer.from("a\xff", "latin1")],
])("refuses a repository whose filter has %s in its name", async (_, name) => {
  const { folder, program, path, commit, started } = openRepository();
  commit();
  const around = (before: string, after: string) =>
    Buffer.concat([Buffer.from(before), name, Buffer.from(after)]);
  appendFileSync(path(".git/config"), around('[filter "', `"]\n clean = ${program}\n`));
  writeFileSync(path(".gitattributes"), around("*.md filter=", "\n"));
  writeFileSync(path("note.md"), other);
  const hashing = gitIn(folder)(["hash-object", "--stdin-paths"], "note.md\n");
  await expect(hashing).rejects.toMatchObject({ code: "git-program-named" });
  const watching = watchCode(folder, [], variables);
  await expect(watching).rejects.toMatchObject({ code: "git-program-named" });
  expect(started()).toBe(false);
});

it("starts no program for an object that the repository lacks", async () => {
  const { folder, program, own, commit, started } = openRepository();
  commit();
  const missing = "1".repeat(40);
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", folder],
    ["remote.origin.uploadpack", program],
    ["protocol.file.allow", "always"],
  ] as const) {
    own("config", name, value);
  }
  expect(await readBlobs(gitIn(folder), [missing])).toEqual(new Map());
  expect(started()).toBe(false);
});

it("starts no program that a repository inside the repository configures", async () => {
  const { folder, program, path, own, commit, started } = openRepository();
  commit();
  commit("inner");
  own("-C", "inner", "config", "filter.evil.clean", program);
  writeFileSync(path("inner/.gitattributes"), "*.md filter=evil\n");
  own("config", "--file", ".gitmodules", "submodule.inner.path", "inner");
  own("config", "--file", ".gitmodules", "submodule.inner.ignore", "none");
  own("add", "inner");
  own("commit", "--quiet", "--message", "inner");
  // The same length at another time: only reading the file shows that it is another text.
  const change = () => {
    writeFileSync(path("inner/note.md"), "two\n");
    utimesSync(path("inner/note.md"), 1, 1);
  };
  change();
  const loader = await SnapshotLoader.open({ root: folder });
  await loader.loadCommitState(["."]);
  await loader.changedSince("HEAD", ["."]);
  change();
  const changes = await watchCode(folder, [], variables);
  const asBefore = ["-c", "filter.evil.clean=cat"];
  own(...asBefore, "-C", "inner", "commit", "--quiet", "--allow-empty", "--message", "y");
  expect(await changes()).toMatchObject({ changedFiles: ["inner"] });
  expect(started()).toBe(false);
});

it("reads what a partial clone has and fetches nothing", async () => {
  const { folder, path, own, commit } = openRepository();
  commit("there");
  const first = own("-C", "there", "rev-parse", "HEAD:note.md").toString().trim();
  own("-C", "there", "config", "uploadpack.allowFilter", "true");
  writeFileSync(path("there/note.md"), other);
  own("-C", "there", "commit", "--quiet", "--all", "--message", "y");
  own("clone", "--quiet", "--filter=blob:none", `file://${folder}/there`, "here");
  const git = gitIn(path("here"));
  const last = own("-C", "here", "rev-parse", "HEAD:note.md").toString().trim();
  expect(await readBlobs(git, [first, last])).toEqual(new Map([[last, Buffer.from(other)]]));
  await expect(git(["cat-file", "blob", first])).rejects.toMatchObject({
    message: expect.stringMatching(/^git cat-file failed: /u),
    hint: "Signoff lets git fetch nothing. Get the objects this clone lacks: git fetch --refetch --no-filter",
  });
});

it("records a folder that became a file, and a file that became a folder", async () => {
  const { folder, path, commit } = openRepository();
  mkdirSync(path("part"));
  writeFileSync(path("part/a.txt"), "a\n");
  commit();
  const changes = await watchCode(folder, [], variables);
  rmSync(path("part"), { recursive: true });
  rmSync(path("note.md"));
  writeFileSync(path("part"), "b\n");
  mkdirSync(path("note.md"));
  writeFileSync(path("note.md/c.txt"), "c\n");
  expect(await changes()).toMatchObject({
    changedFiles: ["note.md", "note.md/c.txt", "part", "part/a.txt"],
  });
});
