import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { expectUsable, hiddenOf } from "../support/browser-checks.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { newProjectFolder, runStory, serveStudio, signed, unsigned } from "../support/studio.ts";

const { visit } = sharedBrowser();

let good = "";
const stories = preparedFolder(async (root) => {
  good = await runStory(root, signed);
  await runStory(root, unsigned);
});

const studioWithStories = async () => ({ studio: await serveStudio(stories.copy()), good });

describe("the address with the token", () => {
  it("opens the studio, leaves no token in the address, and is not needed for a reload", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    expect(page.url()).toBe(`${studio.origin}/`);
    await page.reload();
    await page.getByText("Recent approvals").waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(
      await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
    ).not.toContain(studio.token);
  });

  it("is asked for where it is missing, and a wrong one is refused", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio, "/runs", { hasToken: false });
    await page.getByRole("heading", { name: "Sign in to this studio" }).waitFor();
    expect(await page.content()).not.toContain("night train");
    await page.getByLabel("Address or token").fill("a".repeat(43));
    await page.getByRole("button", { name: "Open the studio" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Address or token").fill(studio.url);
    await page.getByRole("button", { name: "Open the studio" }).click();
    await page.getByRole("heading", { name: "Runs and cost" }).waitFor();
  });
});

describe("each page", () => {
  it("shows what is there, by a link that can be given away and after a reload", async () => {
    const { studio, good } = await studioWithStories();
    const { page, foreignRequests, complaints } = await visit(studio);
    const sees = async (path: string, text: string) => {
      await page.goto(studio.origin + path);
      await page.getByText(text).first().waitFor();
      await page.reload();
      await page.getByText(text).first().waitFor();
    };
    await sees("/", "a night train to Lisbon");
    const week = page.getByRole("region", { name: "This week" });
    await week.getByText("Tokens per day").waitFor();
    await week.getByRole("link", { name: /^\d{4}-\d\d-\d\d: .*, 2 runs$/u }).click();
    await page.waitForURL(/\/runs\?since=(?<day>[\d-]+)&until=\k<day>$/u);
    await page.getByRole("link", { name: "a night train to Lisbon" }).waitFor();
    await sees("/inbox", "repair workshops for headphones");
    await sees("/runs", "a night train to Lisbon");
    await sees("/runs?state=finished", "repair workshops for headphones");
    await sees("/runs?state=failed", "No matching runs");
    await sees("/drafts/new", "What is it about?");
    await sees(`/drafts/${good}?turn=1`, "It could be any train.");
    await sees(`/runs/${good}`, "turn/1/candidate/1/create");
    await sees("/nowhere", "Page not found");
    await sees("/drafts/00000000-0000-4000-8000-000000000000", "There is no run");
    expect(foreignRequests).toEqual([]);
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  it("says what to do where there is nothing yet", async () => {
    const studio = await serveStudio(newProjectFolder());
    const { page } = await visit(studio);
    await page.getByText("Write a text").waitFor();
    await page.getByRole("link", { name: "Start a draft" }).click();
    await page.getByRole("heading", { name: "New draft" }).waitFor();
    await page.goto(`${studio.origin}/inbox`);
    await page.getByText("Nothing needs you").waitFor();
  });

  it("can be used by everybody and scrolls only downward, in every width and colour", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio);
    const paths = ["/", "/inbox", "/runs", "/drafts/new", `/drafts/${good}?turn=2&against=1`];
    await expectUsable(
      page,
      paths.map((path) => studio.origin + path),
      () => hiddenOf(page.getByRole("navigation", { name: "Pages" })),
    );
  });

  it("cuts a brief of many pages in headings and lists, in every width and colour", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, { ...unsigned, brief: "w".repeat(10_000) });
    const studio = await serveStudio(root);
    const { page } = await visit(studio);
    const paths = ["/", "/inbox", "/runs", `/runs/${run}`, `/drafts/${run}`];
    await expectUsable(
      page,
      paths.map((path) => studio.origin + path),
      () => hiddenOf(page.getByRole("navigation", { name: "Pages" })),
    );
    expect((await page.getByRole("heading", { level: 1 }).innerText()).length).toBe(160);
    await page.getByText("The whole brief").click();
    expect(await page.getByText(/^w{10000}$/u).isVisible()).toBe(true);
    await page.goto(`${studio.origin}/inbox`);
    const item = page.getByRole("button", { name: /^w{159}…: not approved \(limit\)/u });
    await item.waitFor();
  });

  it.each([1280, 390])("lists its keys beside their meanings at %i", async (width) => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio, "/", { width });
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog").locator("dl");
    await list.waitFor();
    const tops = (part: string) =>
      list.locator(part).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(await tops("dd")).toEqual(await tops("dt"));
    expect(await hiddenOf(page.getByRole("dialog"))).toBe(0);
  });

  it("keeps the colours that were chosen", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole("heading", { name: "Home" }).waitFor();
    expect(await paper()).toBe(dark);
  });
});

describe("a draft's page", () => {
  it("shows any turn against any other, word by word, and what was asked and answered", async () => {
    const { studio, good } = await studioWithStories();
    const { page } = await visit(studio, `/drafts/${good}`);
    await page.getByText("Both sides signed").waitFor();
    expect(await page.getByTestId("turn-text").innerText()).toBe(
      "Fall asleep in Hamburg, wake up by the sea.",
    );
    await page.getByLabel("Compare with").selectOption("1");
    const differences = page.getByTestId("differences");
    expect(await differences.locator("del").first().innerText()).toContain("Sleep");
    expect(await differences.locator("ins").first().innerText()).toContain("Fall");
    expect(page.url()).toContain("against=1");
    await page.getByText("closed in turn 2").waitFor();
    await page.getByText("turn/2/candidate/1/review/reviewer").click();
    await page
      .getByRole("region", { name: /^Raw reply/u })
      .getByText("SHIP IT!")
      .waitFor();
    await page.getByRole("region", { name: "Prompt" }).getByText("Fall asleep").waitFor();
  });
});
