import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gitIn } from "./git-process.ts";

it("starts no program that a copied repository configures", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signoff-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  const mark = join(folder, "started");
  const program = join(folder, "evil.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(program, 0o755);
  own("init", "--quiet");
  writeFileSync(join(folder, "note.md"), "one\n");
  own("add", ".");
  own("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "--message", "x");
  writeFileSync(join(folder, ".gitattributes"), "*.md filter=evil diff=evil\n");
  for (const name of [
    ...["core.fsmonitor", "filter.evil.clean", "filter.evil.process", "diff.external"],
    ...["diff.evil.command", "diff.evil.textconv"],
  ]) {
    own("config", name, program);
  }
  own("config", "filter.evil.required", "true");
  writeFileSync(join(folder, "note.md"), "two, and longer\n");
  const git = gitIn(folder);
  await git(["status", "--porcelain=v2", "-z", "--untracked-files=all"]);
  await git(["diff", "--stat", "HEAD"]);
  await git(["diff", "--name-only", "-z", "HEAD"]);
  const id = await git(["hash-object", "--stdin-paths"], "note.md\n");
  expect(id.toString("utf8")).toMatch(/^[0-9a-f]{40}\n$/u);
  expect(existsSync(mark)).toBe(false);
});
