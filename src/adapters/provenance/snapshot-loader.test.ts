import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SnapshotLoader } from "./snapshot-loader.ts";

let root: string;
let asked: (readonly string[])[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "signoff-notes-")));
  asked = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | Buffer, below = root): void {
  mkdirSync(dirname(join(below, path)), { recursive: true });
  writeFileSync(join(below, path), content);
}

function git(...args: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@shop.example"];
  return execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8" }).trim();
}

function commitAll(): void {
  git("add", "-A");
  git("commit", "-qm", "Notes");
}

const openLoader = (folder = root) =>
  SnapshotLoader.open({ root: folder, onGit: (args) => asked.push(args) });

const treeOf = async (loader: SnapshotLoader, folders: readonly string[] = ["notes"]) =>
  (await loader.findTree(folders)).load();

const pathsOf = async (loader: SnapshotLoader, folders: readonly string[] = ["notes"]) =>
  (await treeOf(loader, folders)).files.map(({ path }) => path);

describe("in a git repository", () => {
  beforeEach(() => git("init", "-q", "-b", "main"));

  it("gives committed, staged, edited and new notes the id git gives their content", async () => {
    for (const name of ["clean", "staged", "edited", "deleted"])
      write(`notes/${name}.md`, `# ${name}\n`);
    write("notes/ignored.md", "# ignored\n");
    write(".gitignore", "ignored.md\n");
    commitAll();
    write("notes/staged.md", "# staged again\n");
    git("add", "-A");
    write("notes/edited.md", "# edited again\n");
    write("notes/new.md", "# new\n");
    rmSync(join(root, "notes/deleted.md"));
    const { files, skipped } = await treeOf(await openLoader());
    const names = ["clean", "edited", "new", "staged"];
    expect(files).toEqual(
      names.map((name) => ({
        path: `notes/${name}.md`,
        blobSha: git("hash-object", `notes/${name}.md`),
      })),
    );
    expect(skipped).toEqual([]);
  });

  it("asks git as often for three hundred notes as for three", async () => {
    const countFor = async (notes: number) => {
      for (let at = 0; at < notes; at += 1) write(`notes/n${at}.md`, `# ${at}\n`);
      commitAll();
      for (let at = 0; at < notes; at += 2) write(`notes/n${at}.md`, `# ${at} edited\n`);
      asked = [];
      const loader = await openLoader();
      const { files } = await treeOf(loader);
      for (const { path } of files) expect(loader.readText(path).kind).toBe("text");
      const old = git("ls-tree", "HEAD", "notes/")
        .split("\n")
        .map((line) => line.split(/\s/)[2] ?? "");
      expect((await loader.textsAt(old)).size).toBe(notes);
      return asked.length;
    };
    expect(await countFor(3)).toBe(3);
    expect(await countFor(300)).toBe(3);
  });

  it("needs one process when nothing is dirty", async () => {
    write("notes/prices.md", "# Prices\n");
    commitAll();
    await treeOf(await openLoader());
    expect(asked.map(([command]) => command)).toEqual(["ls-files"]);
  });

  it("applies clean filters to what is dirty", async () => {
    write(".gitattributes", "*.md text eol=lf\n");
    write("notes/prices.md", "# Prices\n");
    commitAll();
    const committed = git("rev-parse", "HEAD:notes/prices.md");
    write("notes/prices.md", "# Prices\r\n");
    write("notes/copy.md", "# Prices\r\n");
    const loader = await openLoader();
    const { files } = await treeOf(loader);
    expect(files.map(({ blobSha }) => blobSha)).toEqual([committed, committed]);
    expect(loader.readText("notes/prices.md")).toEqual({
      kind: "text",
      text: "# Prices\r\n",
    });
  });

  it("reads for itself what git was asked not to look at, and names what is not checked out", async () => {
    for (const name of ["assumed", "hidden", "sparse"]) write(`notes/${name}.md`, "# Prices\n");
    commitAll();
    git("update-index", "--assume-unchanged", "notes/assumed.md");
    git("update-index", "--skip-worktree", "notes/hidden.md", "notes/sparse.md");
    const before = await (await openLoader()).findTree(["notes"]);
    for (const name of ["assumed", "hidden"]) write(`notes/${name}.md`, "# Prices, doubled\n");
    rmSync(join(root, "notes/sparse.md"));
    const after = await (await openLoader()).findTree(["notes"]);
    expect(after.state).not.toBe(before.state);
    const { files, skipped } = await after.load();
    expect(files).toEqual(
      ["assumed", "hidden"].map((name) => ({
        path: `notes/${name}.md`,
        blobSha: git("hash-object", `notes/${name}.md`),
      })),
    );
    expect(skipped).toEqual([{ path: "notes/sparse.md", reason: "not-checked-out" }]);
  });

  it("takes any file name", async () => {
    const names = [
      "a b.md",
      'say "hi".md',
      "tab\there.md",
      "line\nbreak.md",
      "back\\slash.md",
      "naïve ☕.md",
      "-n.md",
      '"quoted".md',
    ];
    for (const name of names) write(`notes/${name}`, `# ${name}\n`);
    const untracked = await treeOf(await openLoader());
    expect(untracked.files.map(({ path }) => path.slice(6)).sort()).toEqual([...names].sort());
    commitAll();
    const tracked = await treeOf(await openLoader());
    expect(tracked.files).toEqual(untracked.files);
  });

  it("names markdown files whose ending is not in lower case", async () => {
    write("notes/PRICES.MD", "# Prices\n");
    const plain = { files: [], skipped: [{ path: "notes/PRICES.MD", reason: "not-lower-case" }] };
    expect(await treeOf(await openLoader())).toEqual(plain);
    commitAll();
    expect(await treeOf(await openLoader())).toEqual(plain);
    rmSync(join(root, ".git"), { recursive: true });
    expect(await treeOf(await openLoader())).toEqual(plain);
    rmSync(join(root, "notes/PRICES.MD"));
    expect(await treeOf(await openLoader())).toEqual({ files: [], skipped: [] });
  });

  it("names file names and texts that are not UTF-8", async () => {
    write("notes/latin.md", Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
    mkdirSync(join(root, "notes"), { recursive: true });
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/notes/`), Buffer.from([0xe9]), Buffer.from(".md")]),
      "# x\n",
    );
    const loader = await openLoader();
    const tree = await treeOf(loader);
    expect(tree.files.map(({ path }) => path)).toEqual(["notes/latin.md"]);
    expect(tree.skipped.map(({ reason }) => reason)).toEqual(["name-not-utf-8"]);
    expect(loader.readText("notes/latin.md")).toEqual({ kind: "not-utf-8" });
  });

  it("keeps the byte order mark of a text", async () => {
    write("notes/bom.md", "\uFEFF# Prices\n");
    expect((await openLoader()).readText("notes/bom.md")).toEqual({
      kind: "text",
      text: "\uFEFF# Prices\n",
    });
  });

  it("follows no link and enters no submodule", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "signoff-outside-")));
    try {
      write("secret.md", "# Secret\n", outside);
      write("notes/prices.md", "# Prices\n");
      symlinkSync(join(outside, "secret.md"), join(root, "notes/tracked-link.md"));
      symlinkSync(outside, join(root, "notes/folder"));
      commitAll();
      symlinkSync(join(outside, "secret.md"), join(root, "notes/new-link.md"));
      execFileSync("git", ["init", "-q", join(root, "notes/vendor")]);
      write("notes/vendor/inner.md", "# Inner\n");
      const loader = await openLoader();
      const tree = await treeOf(loader);
      expect(tree.files.map(({ path }) => path)).toEqual(["notes/prices.md"]);
      expect(tree.skipped.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
        "notes/folder symlink",
        "notes/new-link.md symlink",
        "notes/tracked-link.md symlink",
        "notes/vendor/ submodule",
      ]);
      for (const path of ["notes/new-link.md", "notes/folder/secret.md", "../escape.md"])
        expect(loader.readText(path)).toEqual({ kind: "gone" });
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it("works in a folder below the top level, with paths from that folder", async () => {
    write("kb/notes/prices.md", "# Prices\n");
    write("other/notes/x.md", "# X\n");
    commitAll();
    write("kb/notes/new.md", "# New\n");
    const loader = await openLoader(join(root, "kb"));
    expect(await pathsOf(loader)).toEqual(["notes/new.md", "notes/prices.md"]);
    const state = await loader.loadCommitState(["notes"]);
    expect([...state.uncommitted]).toEqual(["notes/new.md"]);
    expect(state.head).toBe(git("rev-parse", "HEAD"));
  });

  it("knows before the first commit that nothing is committed", async () => {
    write("notes/prices.md", "# Prices\n");
    git("add", "-A");
    const state = await (await openLoader()).loadCommitState(["notes"]);
    expect(state.head).toBeUndefined();
    expect([...state.uncommitted]).toEqual(["notes/prices.md"]);
  });

  it("does not make up texts git no longer has", async () => {
    expect(await (await openLoader()).textsAt(["0".repeat(40), "HEAD", "--help"])).toEqual(
      new Map(),
    );
  });

  it("lists a conflicted note once, with its text in the working tree", async () => {
    write("notes/prices.md", "# Prices\n");
    commitAll();
    git("checkout", "-qb", "summer");
    write("notes/prices.md", "# Summer prices\n");
    commitAll();
    git("checkout", "-q", "main");
    write("notes/prices.md", "# Winter prices\n");
    commitAll();
    expect(() =>
      execFileSync("git", ["merge", "summer"], { cwd: root, stdio: "ignore" }),
    ).toThrow();
    const { files } = await treeOf(await openLoader());
    expect(files).toEqual([
      { path: "notes/prices.md", blobSha: git("hash-object", "notes/prices.md") },
    ]);
  });

  it("has another state after every change that loads another tree, and the same one otherwise", async () => {
    const stateNow = async () => (await (await openLoader()).findTree(["notes"])).state;
    write("notes/prices.md", "# Prices\n");
    write("notes/returns.md", "# Returns\n");
    commitAll();
    const states = [await stateNow()];
    const change = async (act: () => void) => {
      act();
      states.push(await stateNow());
    };
    await change(() => write("notes/prices.md", "# Prices of May\n"));
    await change(() => write("notes/prices.md", "# Prices of June\n"));
    await change(() => write("notes/new.md", "# New\n"));
    await change(() => write("notes/new.md", "# Newer\n"));
    await change(() => rmSync(join(root, "notes/returns.md")));
    await change(() => symlinkSync(tmpdir(), join(root, "notes/elsewhere.md")));
    expect(new Set(states).size).toBe(states.length);
    expect(await stateNow()).toBe(states.at(-1));
  });

  it("finds the last commit of each note with one process, wherever the project starts", async () => {
    write("shop/notes/prices.md", "# Prices\n");
    write("shop/notes/returns.md", "# Returns\n");
    commitAll();
    const first = git("rev-parse", "HEAD");
    write("shop/notes/prices.md", "# Prices of May\n");
    commitAll();
    const loader = await openLoader(join(root, "shop"));
    asked = [];
    const commits = await loader.lastCommits(["notes/prices.md", "notes/returns.md", "notes/x.md"]);
    expect(Object.fromEntries(commits)).toEqual({
      "notes/prices.md": git("rev-parse", "HEAD"),
      "notes/returns.md": first,
    });
    expect(asked).toHaveLength(1);
  });

  it("lists committed changes with the version before each, newest first", async () => {
    write("shop/notes/prices.md", "# Prices\n");
    commitAll();
    const before = git("rev-parse", "HEAD:shop/notes/prices.md");
    write("shop/notes/prices.md", "# New prices\n");
    write("elsewhere.md", "# Another\n");
    commitAll();
    write("shop/notes/prices.md", "# Not committed\n");
    const loader = await openLoader(join(root, "shop"));
    const changes = await loader.versionChanges("2000-01-01T00:00:00.000Z", ["notes"]);
    const at = expect.stringMatching(/^20\d\d-.*Z$/u);
    expect(changes).toEqual([
      { at, path: "notes/prices.md", before },
      { at, path: "notes/prices.md" },
    ]);
  });

  it("says what git said when git fails", async () => {
    write("notes/prices.md", "# Prices\n");
    writeFileSync(join(root, ".git/index"), "not an index");
    await expect(treeOf(await openLoader())).rejects.toMatchObject({
      code: "git-failed",
    });
  });
});

describe("without git", () => {
  it("gives the same ids and follows no link", async () => {
    write("notes/prices.md", "# Prices\n");
    write("notes/deep/returns.md", "# Returns\n");
    write("notes/node_modules/x.md", "# X\n");
    symlinkSync(tmpdir(), join(root, "notes/elsewhere"));
    const loader = await openLoader();
    const { files, skipped } = await treeOf(loader, ["notes", "absent"]);
    expect(loader.usesGit).toBe(false);
    expect(files).toEqual([
      { path: "notes/deep/returns.md", blobSha: git("hash-object", "notes/deep/returns.md") },
      { path: "notes/prices.md", blobSha: git("hash-object", "notes/prices.md") },
    ]);
    expect(skipped).toEqual([
      { path: "absent", reason: "missing" },
      { path: "notes/elsewhere", reason: "symlink" },
    ]);
    expect(asked).toEqual([]);
  });

  it("has another state when a text is another", async () => {
    const stateNow = async () => (await (await openLoader()).findTree(["notes"])).state;
    write("notes/prices.md", "# Prices\n");
    const before = await stateNow();
    expect(await stateNow()).toBe(before);
    write("notes/prices.md", "# Prices of May\n");
    expect(await stateNow()).not.toBe(before);
  });

  it("does not enter a root that leads out of the project", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "signoff-outside-")));
    try {
      write("secret.md", "# Secret\n", outside);
      symlinkSync(outside, join(root, "notes"));
      expect(await treeOf(await openLoader(), ["notes", ".."])).toEqual({
        files: [],
        skipped: [
          { path: "notes", reason: "symlink" },
          { path: "..", reason: "symlink" },
        ],
      });
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
});
