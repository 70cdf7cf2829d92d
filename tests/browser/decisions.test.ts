import { describe, expect, it } from "vitest";
import type { RunId } from "../../src/domain/values/ids.ts";
import { pressInARow, sharedBrowser } from "../support/browser.ts";
import { hesitant, openModelServer } from "../support/model-servers.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { newProjectFolder, runStory, serveStudio, signed, unsigned } from "../support/studio.ts";

const { visit } = sharedBrowser();
let run: RunId;
/** One draft that needs a person. */
const story = preparedFolder(async (root) => {
  run = await runStory(root, unsigned);
});

async function studioWithOpenItem() {
  return { studio: await serveStudio(story.copy()), run };
}

describe("a person's decision in the browser", () => {
  it("is made without a mouse: two keys to the inbox, one to approve, and a reason", async () => {
    const { studio, run } = await studioWithOpenItem();
    const { page } = await visit(studio);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await pressInARow(page, "g", "i");
    await page.getByText("Not approved (limit): a person has to decide").waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("the client loves it");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Nothing needs you").waitFor();
    await page.goto(`${studio.origin}/drafts/${run}`);
    await page.getByText("Decisions").waitFor();
    expect(await page.getByText("Mira approved it").innerText()).toContain("Mira approved it");
    await page.getByText("the client loves it").waitFor();
    await page.getByLabel("Decision").getByText("Approved by Mira").waitFor();
  });

  it("is made for several drafts at once, and needs no reason", async () => {
    const root = story.copy();
    await runStory(root, { ...unsigned, brief: "a bicycle workshop by the canal" });
    const { page } = await visit(await serveStudio(root), "/inbox");
    await page.getByRole("checkbox", { name: /headphones/u }).check();
    await page.getByRole("checkbox", { name: /canal/u }).check();
    await page.getByRole("button", { name: "Approve 2 drafts" }).click();
    await page.getByRole("button", { name: "Approve all" }).click();
    await page.getByText("2 drafts approved").first().waitFor();
    await page.getByText(/^Nothing (?:else )?needs you$/u).waitFor();
  });

  it("gives the focus back and decides nothing when it is left", async () => {
    const { studio } = await studioWithOpenItem();
    const { page } = await visit(studio, "/inbox");
    const button = page.getByRole("button", { name: /^Request changes/u });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(
      (element) => element === document.activeElement,
      await button.elementHandle(),
    );
    await page.getByText("Not approved (limit): a person has to decide").waitFor();
  });

  it("counts one decision of two: the other person reads who decided and why", async () => {
    const { studio, run } = await studioWithOpenItem();
    const mira = await visit(studio, `/drafts/${run}`);
    const jon = await visit(studio, `/drafts/${run}`);
    for (const { page } of [mira, jon]) {
      await page.getByRole("button", { name: /^Approve/u }).click();
      await page.getByLabel("Reason (optional)").waitFor();
    }
    await mira.page.getByLabel("Reason (optional)").fill("it says what we do");
    await mira.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await mira.page.getByText("Decisions").waitFor();
    await jon.page.getByLabel("Reason (optional)").fill("I like it too");
    // His page learns of the other decision behind the dialog; what he decides on is still what he saw before.
    await jon.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await jon.page.getByText("Decisions").waitFor();
    await jon.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await jon.page.getByRole("alert").getByText("Mira approved it: it says what we do").waitFor();
    const rulings = await mira.page.evaluate(
      async (path) => (await (await fetch(path)).json()).rulings.length,
      `/api/v1/drafts/${run}/rulings`,
    );
    expect(rulings).toBe(1);
  });

  it("stays in the inbox of one person when another was first", async () => {
    const { studio, run } = await studioWithOpenItem();
    const { page } = await visit(studio, "/inbox");
    await page.getByRole("button", { name: /^Approve/u }).click();
    await page.getByLabel("Reason (optional)").fill("I like it too");
    const headers = { authorization: `Bearer ${studio.token}`, "content-type": "application/json" };
    const body = JSON.stringify({ act: "approve", version: 0, reason: "it is late", by: "Jon" });
    const path = `${studio.origin}/api/v1/drafts/${run}/rulings`;
    expect((await fetch(path, { method: "POST", headers, body })).status).toBe(201);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("This was decided in the meantime").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").getByText("Jon approved it: it is late").waitFor();
  });

  it("is about the item in the address, which a reload and Back keep", async () => {
    const root = story.copy();
    const canal = await runStory(root, { ...unsigned, brief: "a bicycle workshop by the canal" });
    const { page } = await visit(await serveStudio(root), "/inbox");
    const chosen = page.getByRole("region", { name: "The chosen item" });
    const headphones = chosen.getByRole("heading", { name: unsigned.brief });
    const workshop = chosen.getByRole("heading", { name: "a bicycle workshop by the canal" });
    await headphones.waitFor();
    await page.getByRole("button", { name: /canal: not approved/u }).click();
    await workshop.waitFor();
    await page.reload();
    await workshop.waitFor();
    await page.goBack();
    await headphones.waitFor();
    await page.goForward();
    await workshop.waitFor();
    await chosen.getByRole("link", { name: "Open the draft" }).click();
    await page.waitForURL(`**/drafts/${canal}`);
    await page.goBack();
    await workshop.waitFor();
    // Keys look through the list without filling the history.
    await page.keyboard.press("k");
    await headphones.waitFor();
    await page.reload();
    await headphones.waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+Enter");
    await workshop.waitFor();
    await page.reload();
    await workshop.waitFor();
    await page.goBack();
    await page.getByText("This item is not in the inbox").waitFor();
    await page.keyboard.press("j");
    await workshop.waitFor();
  });

  it("counts once for two servers on one store as well", async () => {
    const root = story.copy();
    const servers = [
      await serveStudio(root, { by: "Mira" }),
      await serveStudio(root, { by: "Jon" }),
    ];
    const answers = await Promise.all(
      servers.map(({ origin, token }) =>
        fetch(`${origin}/api/v1/drafts/${run}/rulings`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ act: "approve", version: 0, reason: "good" }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("starts the next generation when changes are requested, and shows it", async () => {
    const { studio, run } = await studioWithOpenItem();
    const { page } = await visit(studio, `/drafts/${run}`);
    await page.getByRole("button", { name: /^Request changes/u }).click();
    await page.getByLabel(/^What has to change/u).fill("say that it is a workshop");
    await page.getByRole("dialog").getByRole("button", { name: "Request changes" }).click();
    await page.getByText("Continues an earlier draft").waitFor();
    await page.getByRole("button", { name: /^Turn 3/u }).click();
    await page.getByTestId("turn-text").getByText("Hear it again.", { exact: true }).waitFor();
    await page.getByText("say that it is a workshop").waitFor();
    const next = page.url().split("?")[0];
    await page.getByText("Continues an earlier draft").click();
    await page.getByText("Continued in a later draft").click();
    await page.getByText("Continues an earlier draft").waitFor();
    expect(page.url().split("?")[0]).toBe(next);
  });

  it("puts a person's own text in, which is reviewed like any other", async () => {
    const { studio, run } = await studioWithOpenItem();
    const { page } = await visit(studio, `/drafts/${run}`);
    await page.getByRole("button", { name: /^Edit/u }).click();
    await page.getByLabel("The text").fill("Three cities. One screwdriver.");
    await page.getByLabel("Why did you change it?").fill("shorter");
    await page.getByRole("button", { name: "Resubmit" }).click();
    await page.getByText("Continues an earlier draft").waitFor();
    await page.getByRole("button", { name: /^Turn 3/u }).click();
    await page.getByTestId("turn-text").getByText("Three cities. One screwdriver.").waitFor();
  });
});

/** A studio whose writer says two words, and the rest, when it is let. */
async function studioThatWaits() {
  const writer = hesitant("Hydrate Green, ", "Live Clean");
  const ollama = await openModelServer({ instead: writer.instead });
  const env = { OLLAMA_BASE_URL: ollama.url, SIGNOFF_MODEL: "ollama/mistral" };
  return { studio: await serveStudio(newProjectFolder(), { env }), writer };
}

describe("a run that is at work", () => {
  it("is started and watched: the words come while they are written, then it is signed", async () => {
    const { studio, writer } = await studioThatWaits();
    const { page, complaints } = await visit(studio, "/drafts/new");
    await page.getByLabel("What is it about?").fill("smart watches");
    const listening = page.waitForResponse(/\/runs\/[^/]+\/events$/u);
    await page.getByRole("button", { name: "Write and review" }).click();
    await listening;
    await writer.begin();
    const live = page.getByRole("region", { name: "Live" });
    await live.getByText("Hydrate Green,").waitFor();
    await writer.goOn();
    await page.getByText("Both sides signed").waitFor();
    await page.getByRole("button", { name: /^Turn 1/u }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("keeps what was said so far for a page that is reloaded in the middle", async () => {
    const { studio, writer } = await studioThatWaits();
    const { page } = await visit(studio, "/drafts/new");
    await page.getByLabel("What is it about?").fill("smart watches");
    const listening = page.waitForResponse(/\/runs\/[^/]+\/events$/u);
    await page.getByRole("button", { name: "Write and review" }).click();
    await listening;
    await writer.begin();
    await page.getByTestId("live-text").getByText("Hydrate Green,").waitFor();
    await page.reload();
    await page.getByTestId("live-text").getByText("Hydrate Green,").waitFor();
    await writer.goOn();
    await page.getByText("Both sides signed").waitFor();
  });

  it("is seen by everybody who has another page open, as it happens", async () => {
    const { studio, writer } = await studioThatWaits();
    const watcher = await visit(studio);
    await watcher.page.getByText("Write a text").waitFor();
    const { page } = await visit(studio, "/drafts/new");
    await page.getByLabel("What is it about?").fill("smart watches");
    await page.getByRole("button", { name: "Write and review" }).click();
    await watcher.page.getByText("Running", { exact: true }).waitFor();
    await writer.begin();
    await writer.goOn();
    await watcher.page.getByText("Approved", { exact: true }).waitFor();
  });

  it("is cancelled with a reason, which stays with it", async () => {
    const { studio } = await studioThatWaits();
    const { page } = await visit(studio, "/drafts/new");
    await page.getByLabel("What is it about?").fill("smart watches");
    await page.getByRole("button", { name: "Write and review" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Why?").fill("wrong product");
    await page.getByRole("button", { name: "Cancel the draft" }).click();
    await page.getByText("wrong product").waitFor();
    await page.locator(".badge", { hasText: "Cancelled" }).waitFor();
  });

  it("is shown by other programs on the same store, after the connection was lost too", async () => {
    const root = newProjectFolder();
    const studio = await serveStudio(root);
    const { page, context } = await visit(studio);
    await page.getByText("Live", { exact: true }).waitFor();
    await context.setOffline(true);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByRole("alert").getByText("The server does not answer.").waitFor();
    await runStory(root, signed);
    await context.setOffline(false);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.getByText("a night train to Lisbon").first().waitFor();
    await runStory(root, unsigned);
    await page.getByText("repair workshops for headphones").first().waitFor();
  });
});
