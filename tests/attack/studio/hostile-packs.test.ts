import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sharedBrowser } from "../../support/browser.ts";
import { openShopProject, type ShopProject } from "../../support/shop-project.ts";
import { openAssistant } from "../../support/shop-stories.ts";
import { serveStudio, studioWithoutSocket } from "../../support/studio.ts";

const { visit } = sharedBrowser();

const image = '<img src=x onerror="window.hacked=1">';
const script = "<script>window.hacked=1</script>";
const link = "[free](javascript:window.hacked=1) ![tracker](https://tracker.invalid/pixel.png)";
const broken = '"><svg/onload=window.hacked=1>{{7*7}}';
const everything = `${image} ${script} ${link} ${broken}`;

let shop: ShopProject;
beforeEach(async () => {
  shop = await openShopProject();
});
afterEach(() => shop.close());

async function expectOnlyText(page: Page, region: string): Promise<void> {
  expect(
    await page.locator(`${region} :is(script, img, svg, iframe, a[href^=javascript])`).count(),
  ).toBe(0);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
}

it("answers, questions, titles and payloads of a pack are letters and nothing else", async () => {
  const assistant = await openAssistant(() => ({
    assistant_reply: everything,
    reply_type: image,
    debug: { [image]: script, plan: link },
  }));
  const pack = {
    pack_id: "hostile",
    domain: "shop",
    title: `Desks ${image}`,
    bindings: { item: everything },
    scenarios: [
      {
        scenario_id: "first",
        domain: "shop",
        title: script,
        steps: [
          {
            step_id: "one",
            title: broken,
            question: `Desks? ${script} {{bindings.item}}`,
            required_answer_patterns_all: ["^nothing of the kind"],
          },
        ],
      },
    ],
  };
  writeFileSync(join(shop.root, "hostile.json"), JSON.stringify(pack));
  const how = { pack: "hostile.json", assistantUrl: assistant.url };
  const before = await shop.playPack(how);
  const after = await shop.playPack(how);
  const studio = await serveStudio(shop.root);
  const { page, foreignRequests, complaints } = await visit(studio, "/packs");
  await page.getByText(`Desks ${image}`).waitFor();
  await expectOnlyText(page, "main");
  await page.goto(`${studio.origin}/packs/hostile/runs/${before}`);
  await page.getByTestId("answer").waitFor();
  expect(await page.getByTestId("answer").innerText()).toBe(everything);
  await page.getByRole("button", { name: "{{bindings.item}}" }).hover();
  expect(await page.getByRole("tooltip").innerText()).toBe(everything);
  for (const summary of await page.locator("details > summary").all()) await summary.click();
  await page.getByRole("region", { name: "Debug payload" }).getByText("window.hacked").waitFor();
  await expectOnlyText(page, "main");
  await page.goto(`${studio.origin}/packs/hostile/compare?before=${before}&after=${after}`);
  await page.getByText("The two runs are the same").waitFor();
  await expectOnlyText(page, "main");
  expect(foreignRequests).toEqual([]);
  expect(complaints).toEqual([]);
});

it("documents of a stage, their names, and who confirmed it why, are letters and nothing else", async () => {
  shop.setDefects();
  const manifest = join(shop.root, "examples/stage/stage.yaml");
  const named = readFileSync(manifest, "utf8").replace(
    "module_name: The shop's answers",
    `module_name: ${JSON.stringify(`Shop ${image}`)}`,
  );
  writeFileSync(manifest, named);
  await shop.playStage();
  const folder = join(shop.root, "artifacts/domain_runs/stage_agent_loops/shop_answers");
  const name = "<img src=x onerror=window.hacked=1>.md";
  writeFileSync(
    join(folder, name),
    `# Title ${image}\n\n${script}\n\n${link}\n\n<div onclick="window.hacked=1">click</div>\n\n| a |\n|---|\n| ${image} |\n\n[free]: javascript:window.hacked=1\n`,
  );
  const studio = await serveStudio(shop.root);
  const { page, foreignRequests, complaints } = await visit(studio, "/stages");
  await page.getByText(`Shop ${image}`).waitFor();
  await expectOnlyText(page, "main");
  await page.goto(`${studio.origin}/stages/shop_answers`);
  await page.getByRole("button", { name, exact: true }).click();
  const paper = page.getByRole("article", { name, exact: true });
  await paper.getByRole("heading", { name: `Title ${image}` }).waitFor();
  const said = await paper.innerText();
  expect(said).toContain(script);
  expect(said).toContain("free (javascript:window.hacked=1)");
  expect(said).toContain('<div onclick="window.hacked=1">');
  expect(await paper.locator("a, img, div[onclick]").count()).toBe(0);
  await expectOnlyText(page, "main");
  await page.getByRole("button", { name: /Confirm and close/u }).click();
  await page.getByLabel("What did you see?").fill(everything);
  await page.getByRole("textbox", { name: /^Your name/u }).fill(`Mira ${image}`);
  await page.keyboard.press("Control+Enter");
  await page.getByText(`Mira ${image} confirmed and closed it`).waitFor();
  await expectOnlyText(page, "main");
  expect(foreignRequests).toEqual([]);
  expect(complaints).toEqual([]);
});

it("a stage cannot be closed without the token, from another origin, without JSON or with a path for an id", async () => {
  shop.setDefects();
  await shop.playStage();
  const studio = await studioWithoutSocket(shop.root);
  const path = "/api/v1/stages/shop_answers/confirmation";
  const read = async () => (await studio.ask("GET", "/api/v1/stages/shop_answers")).json();
  const { version } = await read();
  const body = { version, reason: "It is fine." };
  const tries: readonly (readonly [string, object, number])[] = [
    [path, { authorization: "Bearer wrong" }, 401],
    [path, { origin: "http://evil.example" }, 403],
    [path, { host: "evil.example:4400" }, 421],
    [path, { "content-type": "text/plain" }, 415],
    ["/api/v1/stages/..%2Fstage_agent_loops%2Fshop_answers/confirmation", {}, 404],
    ["/api/v1/stages/.%2Fshop_answers/confirmation", {}, 404],
  ];
  for (const [address, headers, status] of tries) {
    const response = await studio.ask("POST", address, body, headers);
    expect([address, headers, response.status]).toEqual([address, headers, status]);
  }
  const many = await studio.ask("POST", path, { ...body, by: "Mira\nNoor" });
  expect(many.status).toBe(422);
  expect((await read()).stage.stage_closing_gate.status).toBe("ready_for_manual_confirmation");
});
