/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { addPerson } from "../../src/wiring/studio/people.ts";
import { sharedBrowser } from "../support/browser.ts";
import { loaded, overflowOf } from "../support/browser-checks.ts";
import { newProjectFolder, runStory, serveStudio, unsigned } from "../support/studio.ts";

const { visit } = sharedBrowser();

async function count(page: Page, path: string, list: "rulings" | "runs"): Promise<number> {
  return page.evaluate(async ([from, name]) => (await (await fetch(from)).json())[name].length, [
    path,
    list,
  ] as const);
}

const acts = [
  { button: /^Approve/u, label: "Reason (optional)", send: "Approve" },
  { button: /^Request changes/u, label: /^What has to change/u, send: "Request changes" },
  { button: /^Edit/u, label: "Why did you change it?", send: "Resubmit" },
];

it("what a server did before it died counts once, and can be sent again after its restart", async () => {
  const root = newProjectFolder();
  const runs = [];
  for (const at of acts.keys())
    runs.push(await runStory(root, { ...unsigned, brief: `lamp ${at}` }));
  let studio = await serveStudio(root);
  const { port, origin } = studio;
  const token = await addPerson({ root, environment: readEnvironment({}) }, "Ann", "run");
  const { page } = await visit({ origin, token });
  for (const [at, { button, label, send }] of acts.entries()) {
    await page.goto(`${origin}/drafts/${runs[at]}`);
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(label).fill("it says what we do");
    // The decision is recorded, and the server dies before it can say so.
    await page.route("**/rulings", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await studio.stop("now");
      await route.abort();
    });
    await dialog.getByRole("button", { name: send }).click();
    await dialog.getByRole("alert").getByText("The server does not answer.").waitFor();
    expect(await dialog.getByLabel(label).inputValue()).toBe("it says what we do");
    await page.unroute("**/rulings");
    studio = await serveStudio(root, { port });
    await dialog.getByRole("button", { name: send }).click();
    await dialog
      .getByRole("alert")
      .getByText(/Ann .*: it says what we do/u)
      .waitFor();
    expect(await count(page, `/api/v1/drafts/${runs[at]}/rulings`, "rulings")).toBe(1);
  }
  await page.goto(`${origin}/drafts/new`);
  await page.getByLabel("What is it about?").fill("a kettle that whistles in tune");
  await page.route("**/drafts", async (route) => {
    await route.fetch();
    await studio.stop("now");
    await route.abort();
  });
  await page.getByRole("button", { name: "Write and review" }).click();
  await page.getByRole("alert").getByText("The server does not answer.").first().waitFor();
  await page.unroute("**/drafts");
  studio = await serveStudio(root, { port, adopt: true });
  await page.getByRole("button", { name: "Write and review" }).click();
  await page.getByRole("heading", { name: "a kettle that whistles in tune" }).waitFor();
  expect(await count(page, "/api/v1/runs?text=kettle", "runs")).toBe(1);
});

it("a draft is started, from the sign-in on, without a mouse", async () => {
  const studio = await serveStudio(newProjectFolder());
  const { page } = await visit(studio, "/", { hasToken: false });
  await page.getByRole("heading", { name: "Sign in to this studio" }).waitFor();
  const tabTo = async (name: string): Promise<void> => {
    for (let steps = 0; steps < 40; steps += 1) {
      const found = await page.evaluate(() => {
        const { activeElement: at } = document;
        if (at === document.body) return "";
        const label = at instanceof HTMLElement ? at.closest("label") : null;
        return `${label?.innerText ?? ""} ${at?.textContent ?? ""}`;
      });
      if (found.includes(name)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`No Tab leads to ${name}.`);
  };
  await tabTo("Address or token");
  await page.keyboard.insertText(studio.token);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.keyboard.press("Control+k");
  await expect
    .poll(() => page.locator("dialog input:focus, [role=dialog] input:focus").count())
    .toBe(1);
  await page.keyboard.type("new draft");
  await page
    .getByRole("option", { name: /new draft/iu })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "New draft" }).waitFor();
  await tabTo("What is it about?");
  await page.keyboard.type("a lamp that folds flat");
  await tabTo("Start from your own text");
  await page.keyboard.press("Enter");
  await tabTo("Your text");
  await page.keyboard.type("Folds flat. Shines wide.");
  await tabTo("Review and improve my text");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "a lamp that folds flat" }).waitFor();
  await page.waitForURL(/\/drafts\/[0-9a-f-]{36}/u);
  await page.goto(new URL("?turn=1", page.url()).href);
  await page.getByTestId("turn-text").getByText("Folds flat. Shines wide.").waitFor();
});

it("a text and its material are dropped or chosen as files", async () => {
  const studio = await serveStudio(newProjectFolder());
  const { page, complaints } = await visit(studio, "/drafts/new");
  await page.getByText("Start from your own text").click();
  await page.getByLabel("Your text").evaluate((field) => {
    const files = new DataTransfer();
    files.items.add(new File(["Sleep through Europe."], "slogan.txt", { type: "text/plain" }));
    field.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
  });
  const facts = { name: "facts.md", mimeType: "text/markdown", buffer: Buffer.from("Ten hours.") };
  await page.getByLabel("Material").setInputFiles([facts, { ...facts, name: "old.md" }]);
  await page.getByRole("button", { name: "Remove old.md" }).click();
  await page.getByLabel("Only review it, once").check();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Review my text" }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    from: "Sleep through Europe.",
    review_only: true,
    context: [{ name: "facts.md", text: "Ten hours." }],
  });
  await page.getByText("Sleep through Europe.").first().waitFor();
  expect(complaints).toEqual([]);
});

it("every page can be read at 200 % zoom", async () => {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  const studio = await serveStudio(root);
  // What 1280 pixels show at 200 %.
  const { page } = await visit(studio, "/", { width: 640 });
  const about = [`/drafts/${run}`, `/runs/${run}`, "/drafts/new"];
  const overflowing: string[] = [];
  for (const path of [
    "/",
    "/inbox",
    "/runs",
    "/notes",
    "/packs",
    "/stages",
    "/episodes",
    ...about,
  ]) {
    await page.goto(studio.origin + path);
    await page.locator("main h1").first().waitFor();
    await loaded(page);
    if ((await overflowOf(page)) > 0) overflowing.push(path);
  }
  expect(overflowing).toEqual([]);
});

it("on a slow line a page says that it loads, and a decision clicked twice is one", async () => {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  const studio = await serveStudio(root);
  const { page, context } = await visit(studio);
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 700,
    downloadThroughput: 60_000,
    uploadThroughput: 30_000,
  });
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByText("Loading…").first().waitFor();
  await page.getByRole("button", { name: /^Approve/u }).click();
  await page.getByLabel("Reason (optional)").fill("yes");
  const send = page.getByRole("dialog").getByRole("button", { name: "Approve" });
  await send.dblclick();
  await page.getByText("Nothing needs you").waitFor();
  expect(await count(page, `/api/v1/drafts/${run}/rulings`, "rulings")).toBe(1);
});
