import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { signoff } from "../support/scenario-cli.ts";
import { openStageStory } from "../support/stage-story.ts";

it("paths that packs and stages show lead there from the working folder", async () => {
  const shop = await openStageStory();
  const here = join(shop.path, "examples", "elsewhere");
  mkdirSync(here);
  const type = (...words: readonly string[]) =>
    signoff(here, [...words, "--assistant-url", shop.shop.url, "-q"]);
  const pack = ["--manifest", "../scenario-pack/pack.yaml"];
  const looped = await type("pack", "loop", ...pack, "--analyst", "offline/rules");
  expect(looped.code, looped.err).toBe(3);
  const staged = await type("stage", "run", "--manifest", "../stage/stage.yaml");
  expect(staged.code, staged.err).toBe(3);
  const checked = await signoff(here, ["pack", "check", ...pack]);
  const shown = [looped, staged, checked]
    .flatMap(({ out }) => out.replace(/\s+/gu, " ").match(/\S*artifacts\/[\w./-]*\w/gu) ?? [])
    .filter((path) => !path.includes("--"));
  expect(shown.length).toBeGreaterThan(5);
  for (const path of shown) expect(existsSync(join(here, path)), path).toBe(true);
});
