import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { openShopProject } from "../support/shop-project.ts";
import { runStory, serveStudio, unsigned } from "../support/studio.ts";
import { makeEpisode, signoffIn, workspace } from "../support/studio-episode.ts";

const { visit } = sharedBrowser();
const open = { ...unsigned, brief: "a bicycle workshop by the canal" };

/** A draft that a person approved, one that no one has, a text that a person picked, and a pack that failed. */
const project = preparedFolder(async (root) => {
  const approved = await runStory(root, unsigned);
  await signoffIn(root, "runs", "approve", approved, "--by", "Ann", "--reason", "It fits.");
  await runStory(root, open);
  await makeEpisode(root);
  const text = ["--workspace", workspace, "--asset-id", "linkedin"];
  const [file = ""] = readdirSync(join(root, workspace, "copy", "candidates", "linkedin"));
  const chosen = ["--candidate-id", file.replace(/^candidate_|\.\w+$/gu, "")];
  await signoffIn(root, "episode", "pick", ...text, ...chosen, "--reason", "Short.", "--by", "Ann");
  const shop = await openShopProject(root);
  shop.setDefects("temporal");
  await shop.playPack().finally(() => shop.close());
});

/** The state beside each title, as a list on the page shows it. */
function statesOn(page: Page, line: string): Promise<{ [title: string]: string }> {
  return page
    .locator(line)
    .evaluateAll((lines) =>
      Object.fromEntries(
        lines.map((one) => [
          (one.querySelector(".title") ?? one.querySelector("a"))?.textContent ?? "",
          one.querySelector(".badge.good, .badge.bad, .badge.wait, .badge.plain")?.textContent ??
            "",
        ]),
      ),
    );
}

/** The state in each line of `runs list`, by what the run is about. */
async function statesInTerminal(root: string): Promise<{ [title: string]: string }> {
  const listed = await signoffIn(root, "runs", "list");
  const rows = listed.split("\n").map((line) => line.split(/ {2,}/u));
  const { runs } = JSON.parse(await signoffIn(root, "runs", "list", "--json")) as {
    readonly runs: readonly { readonly run_id: string; readonly title: string }[];
  };
  return Object.fromEntries(
    runs.map(({ run_id, title }) => {
      const [, state = ""] = rows.find(([id = ""]) => id !== "" && run_id.startsWith(id)) ?? [];
      return [
        title,
        state.replace(/,? ?\(?(?:script|stand-ins)\)$/u, "").replace(/\((\w+)$/u, "($1)"),
      ];
    }),
  );
}

const books = "The shop's books: 10 of 19 steps";
const post = "LinkedIn post of long_shelf";

it("lists, pages and commands name each state in the same words, people's decisions included", async () => {
  const root = project.copy();
  const studio = await serveStudio(root);
  const { page } = await visit(studio, "/runs");
  await page.getByRole("link", { name: open.brief }).waitFor();
  const { "": _, ...shown } = await statesOn(page, "[role=row]");
  expect(shown).toMatchObject({
    [unsigned.brief]: "Approved by Ann",
    [open.brief]: "Not approved (limit)",
    [post]: "Decided by a person",
    [books]: "Partial",
  });
  const inTerminal = await statesInTerminal(root);
  expect(inTerminal).toMatchObject(
    Object.fromEntries(Object.entries(shown).map(([title, words]) => [title, lowered(words)])),
  );

  await page.goto(`${studio.origin}/`);
  await page.getByText(`${open.brief}: not approved (limit)`).waitFor();
  const home = await statesOn(page, "[aria-label='Recent approvals'] li");
  expect(shown).toMatchObject(home);
  expect(home).toHaveProperty([unsigned.brief]);
  await page.goto(`${studio.origin}/inbox`);
  await page.getByRole("button", { name: `${open.brief}: not approved (limit)` }).waitFor();
  expect(await page.getByRole("navigation", { name: "Items" }).getByRole("listitem").count()).toBe(
    1,
  );
  expect(await signoffIn(root, "inbox")).toContain(`${open.brief}: not approved (limit)`);

  await page.goto(`${studio.origin}/runs`);
  await page.getByRole("link", { name: unsigned.brief }).click();
  await page.getByLabel("Decision").getByText("Approved by Ann", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Approve/u }).count()).toBe(0);
  await page.goBack();
  await page.getByRole("link", { name: post }).click();
  await page.getByText("Picked by a person", { exact: true }).waitFor();
  const status = await signoffIn(root, "episode", "status", "--workspace", workspace);
  expect(status).toMatch(/linkedin\s+picked by a person; picked by Ann/u);
  await page.goBack();
  await page.getByRole("link", { name: books }).click();
  await page.locator(".badge").getByText("Partial", { exact: true }).first().waitFor();
});

function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
