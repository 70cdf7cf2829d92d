import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { signoff } from "../support/scenario-cli.ts";
import { openStageStory } from "../support/stage-story.ts";

const manifest = "examples/stage/stage.yaml";

it("a stage is closed with six commands, and what must be read exists and has its length", async () => {
  const shop = await openStageStory();
  const stage = (...words: readonly string[]) =>
    signoff(shop.path, ["stage", ...words, "--manifest", manifest]);
  const url = ["--assistant-url", shop.shop.url];
  const cold = await stage("status");
  expect(cold.out).not.toContain("domain_pack_loop.command.txt");
  const handedOver = await stage("run", ...url, "-q", "--report", "stage.xml");
  expect(handedOver.code, handedOver.err).toBe(3);
  expect(existsSync(join(shop.path, "stage.xml"))).toBe(true);
  expect(handedOver.out).toMatch(/lead_coder_handoff\.md \(\d+ lines\)/u);
  expect(handedOver.out.replace(/\s+/gu, " ")).toContain("decided by a built-in stand-in");
  const prepared = await stage("continue");
  expect(prepared.out).toContain("Prepared repair-01 and made its dry run; no coder was started.");
  expect((await signoff(shop.path, ["trust", "--manifest", manifest, "--yes"])).code).toBe(0);
  const repaired = await stage("continue", "--execute-repair");
  expect(repaired.out).toContain("Ran the coder on repair-01.");
  const replayed = await stage("run", ...url, "-q");
  expect(replayed.code, replayed.err).toBe(0);
  const closed = await stage("close", "--confirmed-by", "Ada");
  expect(closed.out).toContain("Closed; confirmed by Ada.");
});
