import { join } from "node:path";
import { expect, it } from "vitest";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { addPerson } from "../../src/wiring/studio/people.ts";
import { sharedBrowser, tabToAndPress } from "../support/browser.ts";
import { overflowOf, seriousFindings } from "../support/browser-checks.ts";
import { runSignoff } from "../support/signoff-process.ts";
import { coderThat, run, summaryFile } from "../support/stage-cheats.ts";
import {
  fixes,
  holdConversation,
  preparedStage,
  questionsAsked,
  type StageStory,
  smallPack,
} from "../support/stage-story.ts";
import { serveStudio } from "../support/studio.ts";

const { visit } = sharedBrowser();
/** The first loop is over, and not accepted. */
const played = preparedStage({ pack: smallPack }, run);
const stagePage = "/stages/shop_answers";

it("a stage goes from its first failures to its closing in the browser; only trust is given at a terminal", async () => {
  const shop = played();
  const env = { HOME: join(shop.path, "home") };
  const studio = await serveStudio(shop.path, { env });
  const { page, complaints } = await visit(studio, stagePage);
  const next = page.getByRole("region", { name: "Next step" });

  await next.getByRole("button", { name: "Prepare the repair" }).click();
  await next.getByText("Prepared repair-01 and made its dry run; no coder was started.").waitFor();
  const coder = next.getByRole("button", { name: "Start the coder" });
  expect(await coder.isDisabled()).toBe(true);
  await next
    .getByText(/signoff trust --manifest examples\/stage\/stage.yaml/u)
    .first()
    .waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  const trusted = await runSignoff(["trust", "--manifest", "examples/stage/stage.yaml", "--yes"], {
    cwd: shop.path,
    env,
  });
  expect([trusted.code, trusted.stderr]).toEqual([0, expect.any(String)]);
  await page.reload();
  await coder.click();
  await next.getByText("The coder is at work.").waitFor();
  await page.getByText("patched, not proven yet").waitFor();

  await next.getByRole("button", { name: "Replay the pack" }).click();
  await next.getByText("The questions are being asked.").first().waitFor();
  await page.getByText("patched and proven").waitFor();
  await page.getByText("Ready to confirm").waitFor();

  await page.getByRole("button", { name: /Confirm and close/u }).click();
  await page.getByLabel("What did you see?").fill("It names the right desk.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Reopen" }).click();
  await page.getByLabel("Why?").fill("The desks have moved.");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Mira reopened it: The desks have moved.").waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overflowOf(page)).toBe(0);
  expect(complaints).toEqual([]);
});

it("a finding is settled by a person's word, by those who may, and steps are started by those who may", async () => {
  const shop = played();
  const studio = await serveStudio(shop.path);
  const place = { root: shop.path, environment: readEnvironment({}) };
  const lou = { origin: studio.origin, token: await addPerson(place, "Lou", "look") };
  const ann = { origin: studio.origin, token: await addPerson(place, "Ann", "decide") };
  await addPerson(place, "Rae", "run");
  const looking = await visit(lou, stagePage);
  await looking.page.getByText("Rae can start this (role run).").waitFor();
  await looking.page.getByText("Open findings").click();
  await looking.page.getByText("Ann or Rae can decide this (role decide).").waitFor();
  expect(await looking.page.getByRole("button", { name: /Settle|Prepare/u }).count()).toBe(0);

  const { page } = await visit(ann, stagePage);
  const findings = page.getByRole("region", { name: "Open findings" });
  const settle = findings.getByRole("button", { name: /^Settle/u });
  await findings.getByText("Open findings").click();
  await settle.first().waitFor();
  const before = await settle.count();
  await settle.first().click();
  await page.getByLabel("Why?").fill("The clerk asked for it like this.");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/Ann ruled on .*The clerk asked for it like this/u).waitFor();
  expect(await settle.count()).toBe(before - 1);
});

/** What a coder that needs an answer replies. */
const asks = {
  ...{ coder_status: "needs_decision", summary: "", changed_files: [] },
  decision_needed: "Gross or net?",
};

async function repairWith(shop: StageStory, ...coder: readonly string[]): Promise<void> {
  await shop.json("prepare-repair");
  await shop.json("run-repair", ...coder);
}

it("a step is taken, and a question answered, from the inbox with the keyboard alone", async () => {
  const shop = played();
  const { page, complaints } = await visit(await serveStudio(shop.path), "/inbox");
  const next = page.getByRole("region", { name: "Next step" });
  await tabToAndPress(page, next.getByRole("button", { name: "Prepare the repair" }));
  await next.getByText("Prepared repair-01 and made its dry run").waitFor();

  shop.write("asks.cjs", `console.log(${JSON.stringify(JSON.stringify(asks))})`);
  await shop.json("run-repair", "--coder", "node", "asks.cjs");
  await page.reload();
  await page
    .getByText(/Decide what the analyst or the coder asks/u)
    .first()
    .waitFor();
  await tabToAndPress(page, next.getByRole("button", { name: "Stop" }));
  await page.getByRole("dialog").getByText("Gross or net?").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.type("Net, as the books say.");
  await page.keyboard.press("Control+Enter");
  await next.getByRole("button", { name: "Prepare another repair" }).waitFor();
  await page.getByRole("link", { name: "Open the stage" }).click();
  await page
    .getByText(/Mira.*Net, as the books say\./u)
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});

it("a run that was held elsewhere is imported as proof, and an unknown one is refused", async () => {
  const shop = played();
  await repairWith(shop, ...fixes);
  await holdConversation(shop, "late", questionsAsked(shop));
  const { page, complaints } = await visit(await serveStudio(shop.path), stagePage);
  await tabToAndPress(page, page.getByRole("button", { name: "Import a run" }));
  const dialog = page.getByRole("dialog", { name: "Import a run" });
  await dialog.getByLabel("Id of the run").waitFor();
  await page.keyboard.type("never");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText(/never/u).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("late");
  await page.keyboard.press("Enter");
  await page.getByText("patched and proven").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  // The refusal of the unknown run.
  expect(complaints.filter((one) => !one.includes("status of 4"))).toEqual([]);
});

it("a person vouches for a repair whose coder touched the evidence", async () => {
  const shop = played();
  const edit = `const fs = require("node:fs"); fs.appendFileSync(${JSON.stringify(summaryFile)}, "\\n")`;
  await repairWith(shop, ...coderThat(shop, edit));
  await shop.json(...run);
  const { page } = await visit(await serveStudio(shop.path), stagePage);
  const findings = page.getByRole("region", { name: "Open findings" });
  await findings.getByRole("button", { name: "Vouch for it repair-01" }).click();
  await page.getByLabel("Why?").fill("It added an empty line.");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/Mira ruled on .*repair-01.*It added an empty line/u).waitFor();
  await findings
    .getByRole("button", { name: "Vouch for it repair-01" })
    .waitFor({ state: "detached" });
});
