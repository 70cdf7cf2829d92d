import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pressInARow, sharedBrowser } from "../support/browser.ts";
import { expectUsable } from "../support/browser-checks.ts";
import { openShopProject, type ShopProject } from "../support/shop-project.ts";
import { newProjectFolder, serveStudio } from "../support/studio.ts";

const { visit } = sharedBrowser();
let shop: ShopProject;
let first: string;
let second: string;

beforeAll(async () => {
  shop = await openShopProject();
  shop.setDefects("temporal");
  first = await shop.playPack();
  shop.setDefects();
  second = await shop.playPack();
});
afterAll(() => shop.close());

describe("the pages of packs", () => {
  it("lead from the packs to a run, by links that can be given away and after a reload", async () => {
    const studio = await serveStudio(shop.root);
    const { page, foreignRequests, complaints } = await visit(studio, "/packs");
    await page.getByRole("link", { name: /The shop's books/u }).click();
    await page.getByText("19 of 19 steps passed").waitFor();
    expect(page.url()).toBe(`${studio.origin}/packs/shop_pack`);
    await page.getByRole("link", { name: /P0 open/u }).click();
    await page.getByRole("heading", { name: "Gate not passed" }).waitFor();
    await page.getByText("the truth review does not pass").waitFor();
    await page.goto(
      `${studio.origin}/packs/shop_pack/runs/${first}?scenario=changing_dates&step=step_01_winter`,
    );
    for (const _ of [1, 2]) {
      await page.getByText("temporal honesty", { exact: true }).first().waitFor();
      const chosen = page.locator("section[aria-current=step]");
      expect(await chosen.getAttribute("aria-label")).toBe(
        await page.locator("section > header h3").first().innerText(),
      );
      const { y, height } = (await chosen.boundingBox()) ?? { y: 9_999, height: 0 };
      expect(y + Math.min(height, 200)).toBeLessThan(900);
      await page.reload();
    }
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("tell a placeholder's value to the mouse and to the keyboard", async () => {
    const studio = await serveStudio(shop.root);
    const { page } = await visit(
      studio,
      `/packs/shop_pack/runs/${first}?scenario=stock_to_supplier`,
    );
    const placeholder = page.getByRole("button", { name: "{{bindings.spring}}" }).first();
    const value = page.getByRole("tooltip").filter({ hasText: "2024-03-31" }).first();
    await placeholder.waitFor();
    expect(await value.isVisible()).toBe(false);
    await placeholder.hover();
    await value.waitFor();
    await page.mouse.move(0, 0);
    await value.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /From the stock list/u }).focus();
    for (let tabs = 0; tabs < 20 && !(await value.isVisible()); tabs += 1) {
      await page.keyboard.press("Tab");
    }
    expect(await value.isVisible()).toBe(true);
    expect(await placeholder.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it("ask for the debug payload only when it is opened", async () => {
    const studio = await serveStudio(shop.root);
    const { page } = await visit(studio, `/packs/shop_pack/runs/${second}?scenario=changing_dates`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("heading", { name: "Gate passed" }).waitFor();
    expect(asked.filter((path) => path.includes("/steps/"))).toEqual([]);
    await page.getByText("Debug payload").first().click();
    const payload = page.getByRole("region", { name: "Debug payload" });
    await payload.waitFor();
    expect(JSON.parse(await payload.innerText())).toMatchObject({ debug: expect.any(Object) });
    expect(asked.filter((path) => path.includes("/steps/"))).toHaveLength(1);
  });

  it("compare two runs with the keyboard alone, the first divergence marked", async () => {
    const studio = await serveStudio(shop.root);
    const { page } = await visit(studio);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await pressInARow(page, "g", "p");
    const link = page.getByRole("link", { name: /The shop's books/u });
    await link.waitFor();
    for (let tabs = 0; tabs < 30; tabs += 1) {
      if (await link.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Compare two runs/u }).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("heading", { name: /^\d+ steps better, 0 steps worse$/u }).waitFor();
    const scenario = page.getByRole("region", { name: "Scenario The same item on other days" });
    await scenario.getByText("First divergence").waitFor();
    expect(await scenario.innerText()).toContain("step_01_winter");
    expect(await scenario.locator("ins").count()).toBeGreaterThan(0);
    expect(page.url()).toBe(
      `${studio.origin}/packs/shop_pack/compare?before=${first}&after=${second}`,
    );
    await page.keyboard.press("x");
    await page.getByRole("heading", { name: /^0 steps better, \d+ steps worse$/u }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: /^0 steps better, \d+ steps worse$/u }).waitFor();
  });

  it("move from step to step with j and k", async () => {
    const studio = await serveStudio(shop.root);
    const { page } = await visit(studio, `/packs/shop_pack/runs/${first}?scenario=changing_dates`);
    await page.getByText("temporal honesty", { exact: true }).first().waitFor();
    const chosen = page.locator("section[aria-current=step] h3");
    await page.keyboard.press("j");
    const one = await chosen.innerText();
    await page.keyboard.press("j");
    await page.waitForURL(/step=step_02/u);
    await chosen.filter({ hasNotText: one }).waitFor();
    await page.keyboard.press("k");
    await page.waitForURL(/step=step_01/u);
    await chosen.filter({ hasText: one }).waitFor();
  });

  it("say what to do where there is nothing, and that there is no such run", async () => {
    const studio = await serveStudio(newProjectFolder());
    const { page } = await visit(studio, "/packs");
    await page.getByText("No pack runs yet").waitFor();
    await page.goto(`${studio.origin}/packs/shop_pack`);
    await page.getByText("No run of pack shop_pack is in this project.").waitFor();
    await page.goto(`${studio.origin}/packs/shop_pack/runs/00000000-0000-4000-8000-000000000000`);
    await page.getByText("No folder of this project holds run").waitFor();
  });

  it("can be used by everybody, in every width and colour", async () => {
    const studio = await serveStudio(shop.root);
    const { page } = await visit(studio);
    const pack = `${studio.origin}/packs/shop_pack`;
    await expectUsable(page, [
      `${studio.origin}/packs`,
      pack,
      `${pack}/runs/${first}`,
      `${pack}/compare?before=${first}&after=${second}`,
    ]);
  });
});
