import { describe, expect, it, onTestFinished } from "vitest";
import { pressInARow, sharedBrowser, tabToAndPress } from "../support/browser.ts";
import { expectUsable, seriousFindings } from "../support/browser-checks.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { openShopProject, type ShopProject } from "../support/shop-project.ts";
import { smallPack } from "../support/stage-story.ts";
import { newProjectFolder, serveStudio } from "../support/studio.ts";

const { visit } = sharedBrowser();
/** A repair of the first loop is not proven yet. */
const blocked = preparedStage(async (shop) => {
  await shop.playStage();
  await shop.repairStage();
});
const ready = preparedStage(async (shop) => {
  shop.setDefects();
  await shop.playStage();
});

function preparedStage(play: (shop: ShopProject) => Promise<void>) {
  return preparedFolder(async (root) => {
    const shop = await openShopProject(root, smallPack);
    await play(shop).finally(() => shop.close());
  });
}

describe("the pages of stages", () => {
  it("tell what blocks the closing, what was repaired, and what to type next", async () => {
    const studio = await serveStudio(blocked.copy());
    const { page, context, foreignRequests, complaints } = await visit(studio, "/stages");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const column = page.getByRole("region", { name: "A repair is unproven" });
    await column.getByRole("link", { name: /The shop's answers/u }).click();
    await page.getByRole("region", { name: "Closing gate" }).waitFor();
    for (const _ of [1, 2]) {
      const gate = page.getByRole("region", { name: "Closing gate" });
      await gate.getByText("repair repair-01 has no successful validation").waitFor();
      await page.reload();
    }
    const repairs = page.getByRole("region", { name: "Repairs" });
    await repairs.getByText("patched, not proven yet").waitFor();
    await repairs.getByText("examples/stage/assistant-defects.txt").first().waitFor();
    expect(await page.getByRole("button", { name: /Confirm and close/u }).count()).toBe(0);
    await page.getByText("The same from a terminal").click();
    await page.getByRole("button", { name: /^Copy signoff stage run /u }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^signoff stage run --manifest examples\/stage\/stage.yaml/u,
    );
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("show each document as a page to read, by a link that can be given away", async () => {
    const studio = await serveStudio(blocked.copy());
    const { page } = await visit(studio, "/stages/shop_answers");
    await page.getByRole("button", { name: /^lead_coder_handoff.md/u }).click();
    const paper = page.getByRole("article", { name: /lead_coder_handoff.md/u });
    await paper.getByRole("heading", { name: /^Repair hand-off/u }).waitFor();
    expect(await paper.locator("blockquote").count()).toBeGreaterThan(0);
    expect(page.url()).toMatch(/document=/u);
    await page.reload();
    await paper.getByRole("heading", { name: /^Repair hand-off/u }).waitFor();
  });

  it("show a step that a terminal took when the page is looked at again", async () => {
    const shop = await openShopProject(undefined, smallPack);
    onTestFinished(() => shop.close());
    await shop.playStage();
    await shop.repairStage();
    const { page } = await visit(await serveStudio(shop.root), "/stages/shop_answers");
    await page.getByText("A repair is unproven").waitFor();
    await shop.playStage();
    await page.getByText("Ready to confirm").waitFor();
    await page.getByText("patched and proven").waitFor();
  });

  it("are confirmed with the keyboard alone, with a name and a reason", async () => {
    const studio = await serveStudio(ready.copy());
    const { page } = await visit(studio);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await pressInARow(page, "g", "s");
    await tabToAndPress(page, page.getByRole("link", { name: /The shop's answers/u }));
    await page.getByRole("button", { name: /Confirm and close/u }).waitFor();
    await page.keyboard.press("a");
    await page.getByLabel("What did you see?").waitFor();
    await page.keyboard.type("I asked it about the desks.");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Noor");
    await page.keyboard.press("Control+Enter");
    const gate = page.getByRole("region", { name: "Closing gate" });
    await gate.getByText("Confirmed by Noor: I asked it about the desks.").waitFor();
    await page.reload();
    await gate.getByText("Confirmed by Noor").waitFor();
    expect(await page.getByRole("button", { name: /Confirm and close/u }).count()).toBe(0);
  });

  it("are confirmed once by two people: the second reads who was first", async () => {
    const studio = await serveStudio(ready.copy());
    const mira = await visit(studio, "/stages/shop_answers");
    const noor = await visit(studio, "/stages/shop_answers");
    const fill = async ({ page }: typeof mira, name: string) => {
      await page.getByRole("button", { name: /Confirm and close/u }).click();
      await page.getByLabel("What did you see?").fill(`${name} looked.`);
      await page.getByRole("textbox", { name: /^Your name/u }).fill(name);
    };
    await fill(mira, "Mira");
    await fill(noor, "Noor");
    await mira.page.getByRole("dialog").getByRole("button", { name: "Confirm and close" }).click();
    const gate = ({ page }: typeof mira) => page.getByRole("region", { name: "Closing gate" });
    await gate(mira).getByText("Confirmed by Mira").waitFor();
    await noor.page.getByRole("dialog").getByRole("button", { name: "Confirm and close" }).click();
    await noor.page
      .getByRole("alert")
      .getByText("Mira has confirmed and closed this stage meanwhile.")
      .waitFor();
    await noor.page.keyboard.press("Escape");
    await gate(noor).getByText("Confirmed by Mira: Mira looked.").waitFor();
  });

  it("are confirmed from the inbox, which is empty afterwards", async () => {
    const studio = await serveStudio(ready.copy());
    const { page } = await visit(studio, "/inbox");
    await page.getByText("The shop's answers: Check the assistant yourself").first().waitFor();
    await page.getByRole("button", { name: /Confirm and close/u }).waitFor();
    await page.keyboard.press("a");
    await page.getByLabel("What did you see?").fill("The desks are right.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Nothing needs you").waitFor();
    await page.goto(`${studio.origin}/stages`);
    const column = page.getByRole("region", { name: "Closed" });
    await column.getByRole("link", { name: /The shop's answers/u }).waitFor();
  });

  it("say what to do where there is nothing", async () => {
    const studio = await serveStudio(newProjectFolder());
    const { page } = await visit(studio, "/stages");
    await page.getByText("No stages yet").waitFor();
    await page.goto(`${studio.origin}/stages/shop_answers`);
    await page.getByText("There is no stage shop_answers.").waitFor();
  });

  it("can be used by everybody, in every width and colour", async () => {
    const studio = await serveStudio(blocked.copy());
    const { page } = await visit(studio);
    await expectUsable(page, [`${studio.origin}/stages`, `${studio.origin}/stages/shop_answers`]);
  });

  it("ask for the confirmation in a dialog that everybody can use", async () => {
    const { page } = await visit(await serveStudio(ready.copy()), "/stages/shop_answers");
    await page.getByRole("button", { name: /Confirm and close/u }).click();
    await page.getByLabel("What did you see?").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });
});
