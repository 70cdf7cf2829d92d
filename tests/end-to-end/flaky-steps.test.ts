import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShopProject } from "../support/shop-project.ts";
import { newProjectFolder, studioWithoutSocket } from "../support/studio.ts";

/** The shop's pack, played before and after its assistant was repaired; the steps that are then called flaky. */
async function flakySteps(settings: string): Promise<readonly string[]> {
  const root = newProjectFolder();
  writeFileSync(join(root, "signoff.yaml"), `version: 1\n${settings}`);
  const shop = await openShopProject(root);
  try {
    for (const defects of [["temporal"], [], ["temporal"], []] as const) {
      shop.setDefects(...defects);
      await shop.playPack();
    }
  } finally {
    await shop.close();
  }
  const { ask } = await studioWithoutSocket(root);
  const { steps } = await (await ask("GET", "/api/v1/packs/shop_pack/steps")).json();
  const flaky = steps.filter((step: { flaky: boolean }) => step.flaky);
  return flaky.map((step: { step_id: string }) => step.step_id);
}

it("a step is flaky if one version of the assistant both passed and failed it", async () => {
  // This header is the same whatever the shop's assistant gets wrong.
  const oneVersion = "scenarios: { assistant: { version_header: content-type } }\n";
  expect(await flakySteps(oneVersion)).toContain("step_01_winter");
});

it("a step that was repaired and broken again is not flaky where versions are unknown", async () => {
  expect(await flakySteps("")).toEqual([]);
});
