import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../settings/environment.ts";
import { isInstalled } from "./is-installed.ts";

test("a program is installed when it can be started, by its name or by its path", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signoff-programs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "claude"), "#!/bin/sh\n");
  await chmod(join(folder, "claude"), 0o755);
  await writeFile(join(folder, "notes"), "no program");
  await chmod(join(folder, "notes"), 0o644);
  await mkdir(join(folder, "codex"));
  const environment = readEnvironment({ PATH: folder });
  const asked = ["claude", "./claude", "notes", "./notes", "codex", "./codex", "missing"];
  const found = await Promise.all(asked.map((one) => isInstalled(one, { folder, environment })));
  expect(asked.filter((_one, at) => found[at])).toEqual(["claude", "./claude"]);
});
