import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { workspacesBelow } from "./episode-reading.ts";

it("finds episodes however deep they are, except nested ones, other projects and what tools make", async () => {
  const root = mkdtempSync(join(tmpdir(), "signoff-episodes-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const put = (folder: string, file = "episode.yaml"): void => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, file), "");
  };
  put("shows/2026/spring/week-9/monday/bread");
  put("pilot");
  put("pilot/inside");
  put("node_modules/sample");
  put("other", "signoff.yaml");
  put("other/episode");
  const found = await workspacesBelow(root);
  expect(found.toSorted()).toEqual([
    join(root, "pilot"),
    join(root, "shows/2026/spring/week-9/monday/bread"),
  ]);
});
