import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { expectUsable, seriousFindings } from "../support/browser-checks.ts";
import { ownConnection } from "../support/own-connection.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { newProjectFolder, type ServedStudio, serveStudio } from "../support/studio.ts";
import { makeNotes, signoffIn } from "../support/studio-episode.ts";

const { visit } = sharedBrowser();
const story = preparedFolder(makeNotes);

async function studioWithNotes() {
  const root = newProjectFolder();
  story.copyTo(root);
  return { root, studio: await serveStudio(root) };
}

async function ask(studio: ServedStudio, path: string, body?: object) {
  const response = await fetch(studio.origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${studio.token}`,
      "content-type": "application/json",
      ...ownConnection,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function noteId(studio: ServedStudio, path: string): Promise<string> {
  const { notes, note_ids } = (await ask(studio, "/api/v1/notes/matrix")).body;
  return note_ids[notes.indexOf(path)];
}

/** The letter of a pair in the matrix. */
async function letterOf(studio: ServedStudio, note: string, of: string): Promise<string> {
  const { notes, gates, cells } = (await ask(studio, "/api/v1/notes/matrix")).body;
  return cells[notes.indexOf(note)][gates.indexOf(of)];
}

const gate = "prose/stock-phrases";

describe("the notes in the browser", () => {
  it("are a matrix with one letter for each pair, the same as `notes status` counts", async () => {
    const { root, studio } = await studioWithNotes();
    const { body } = await ask(studio, "/api/v1/notes/matrix");
    expect(body.notes).toHaveLength(40);
    const letters = [...body.cells.join("")];
    const count = (wanted: string) => letters.filter((one) => wanted.includes(one)).length;
    const status = JSON.parse(await signoffIn(root, "notes", "status", "--json"));
    const { stale, fresh } = status;
    expect([count("mgntu"), count("p"), count("w"), count("f")]).toEqual([
      ...[stale.length, fresh.pass, fresh.warn, fresh.fail],
    ]);
    expect((await ask(studio, "/api/v1/notes/status")).body).toEqual(status);
  });

  it("show their staleness day by day, today as the matrix counts it; a day leads to its runs", async () => {
    const { studio } = await studioWithNotes();
    const { body } = await ask(studio, "/api/v1/notes/staleness");
    const { stale } = (await ask(studio, "/api/v1/notes/status")).body;
    expect(body.days).toHaveLength(30);
    const { day, changed, never_reviewed } = body.days.at(-1);
    expect(changed + never_reviewed).toBe(stale.length);
    const { page, complaints } = await visit(studio, "/notes");
    await page.getByText("Staleness over the last 30 days").click();
    await page.getByText("The present notes and gates at the end of each day").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByText("As a table").click();
    await page.getByRole("link", { name: day }).click();
    await page.getByRole("table", { name: "Runs" }).waitFor();
    expect(page.url()).toContain(`since=${day}&until=${day}`);
    expect(complaints).toEqual([]);
  });

  it("are filtered by folder, gate and reason, and a link leads to exactly what was seen", async () => {
    const { studio } = await studioWithNotes();
    const { page, foreignRequests, complaints } = await visit(studio, "/notes");
    await page.getByRole("grid").waitFor();
    await page.getByRole("combobox", { name: /^Gate/u }).selectOption("prose");
    await page.getByRole("button", { name: /^note changed/u }).click();
    await page.waitForURL(/reason=n/u);
    await page.reload();
    await page.getByRole("rowheader", { name: /^notes\/cash-closing\.md/u }).waitFor();
    const names = await page.getByRole("rowheader").locator("> span").allInnerTexts();
    expect(names.toSorted()).toEqual([
      "notes/allergens.md",
      "notes/cake-orders.md",
      "notes/cash-closing.md",
    ]);
    expect(page.url()).toMatch(/gate=prose.*reason=n/u);
    await page.goto(`${studio.origin}/notes?folder=nowhere`);
    await page.getByText("No matching notes").waitFor();
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("open a finding with its words marked in the text, and dismiss it with a reason", async () => {
    const { studio } = await studioWithNotes();
    const note = await noteId(studio, "notes/newsletter.md");
    const { page } = await visit(studio, `/notes?note=${note}&of=${gate}`);
    const panel = page.getByRole("region", { name: "The chosen pair" });
    await panel.getByTestId("note-text").locator("mark").getByText("game changer").waitFor();
    await panel.getByRole("button", { name: "Dismiss" }).click();
    await page.getByLabel("Why dismiss this finding?").fill("it is a quotation");
    await page.keyboard.press("Control+Enter");
    await panel.getByText("Dismissed: it is a quotation").waitFor();
    const queue = page.getByRole("region", { name: "Fix queue" });
    await queue.getByText("notes/newsletter.md").waitFor({ state: "detached" });
    await queue.getByText("notes/complaints.md").waitFor();
  });

  it("open from the fix queue beside the matrix, and Escape and Back close them", async () => {
    const { studio } = await studioWithNotes();
    const { page } = await visit(studio, "/notes");
    const queue = page.getByRole("region", { name: "Fix queue" });
    const panel = page.getByRole("region", { name: "The chosen pair" });
    await queue.getByRole("button", { name: /^title-words-in-body: 0 of 2/u }).click();
    await panel.getByText("notes/complaints.md").waitFor();
    const opened = page.getByRole("gridcell", { selected: true });
    expect(await opened.getAttribute("aria-label")).toMatch(
      /^notes\/complaints\.md, semantic\/title-body-alignment: /u,
    );
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    const grid = page.getByRole("grid");
    await grid.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await panel.waitFor();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/of=/u);
    await page.goBack();
    await panel.waitFor({ state: "detached" });
  });

  it("take another verdict from a person, with a reason that stays", async () => {
    const { studio, root } = await studioWithNotes();
    const note = await noteId(studio, "notes/complaints.md");
    const { page } = await visit(studio, `/notes?note=${note}&of=semantic/title-body-alignment`);
    const panel = page.getByRole("region", { name: "The chosen pair" });
    await panel.getByText("fail", { exact: true }).first().waitFor();
    await panel.getByRole("button", { name: "Override" }).click();
    await page.getByLabel("Why is the verdict wrong?").fill("the title is a quotation");
    await page.keyboard.press("Control+Enter");
    await panel.getByText("pass", { exact: true }).waitFor();
    expect(readFileSync(join(root, "signoff.rulings"), "utf8")).toContain("\toverride\t");
    const cell = await letterOf(studio, "notes/complaints.md", "semantic/title-body-alignment");
    expect(cell).toBe("p");
    const status = JSON.parse(await signoffIn(root, "notes", "status", "--json"));
    expect(status.ruled).toMatchObject({ overridden: 1 });
    expect(await signoffIn(root, "notes", "warns")).not.toContain("complaints.md");
    await panel.getByText("overridden to pass by Mira: the title is a quotation").first().waitFor();
  });

  it("acknowledge a changed note without a mouse, after a look at what changed", async () => {
    const { studio, root } = await studioWithNotes();
    const { page } = await visit(studio, "/notes?reason=n&gate=prose");
    await page.getByRole("grid").focus();
    const allergens = page.getByRole("gridcell", {
      name: /^notes\/allergens\.md/u,
      selected: true,
    });
    for (let step = 0; step < 3 && !(await allergens.isVisible()); step += 1) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: "The chosen pair" });
    await panel.getByText("stale: note-changed").waitFor();
    await panel.getByLabel("Show changes since").focus();
    await page.keyboard.press("Space");
    await panel.getByTestId("differences").locator("ins").getByText("sold out by nine").waitFor();
    await panel.getByRole("button", { name: "Acknowledge" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Why?").waitFor();
    await page.keyboard.type("one more fact, nothing else");
    await page.keyboard.press("Control+Enter");
    // An open dialog hides the panel, so its old badge counts as gone before the decision is recorded.
    await panel.getByText("pass", { exact: true }).waitFor();
    const history = await signoffIn(root, "notes", "history", "notes/allergens.md");
    expect(history).toContain("one more fact, nothing else (Mira)");
    expect(readFileSync(join(root, "signoff.rulings"), "utf8")).toContain("\tacknowledge\t");
  });

  it("are reviewed by a plan whose cost is shown before it starts", async () => {
    const { studio } = await studioWithNotes();
    const { page } = await visit(studio, "/notes");
    await page.getByRole("button", { name: "Plan a review" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("$0", { exact: true }).waitFor();
    await dialog.getByText(/for \d+ pairs/u).waitFor();
    await dialog.getByRole("button", { name: "Start the review" }).click();
    await page.getByText("The review is done").waitFor();
    await page.getByRole("button", { name: "note changed 0" }).waitFor();
  });

  it("are reviewed again one by one", async () => {
    const { studio } = await studioWithNotes();
    const note = await noteId(studio, "notes/allergens.md");
    const { page } = await visit(studio, `/notes?note=${note}&of=${gate}`);
    const isOver = async () => (await ask(studio, "/api/v1/notes/review")).body.state === "done";
    // The page looks after the review is over, however long the review takes.
    await page.route("**/api/v1/notes/review", async (route) => {
      if (route.request().method() === "GET") await vi.waitUntil(isOver, { timeout: 60_000 });
      await route.continue();
    });
    const panel = page.getByRole("region", { name: "The chosen pair" });
    await panel.getByRole("button", { name: "Review again" }).click();
    await page.getByText("The review is done").waitFor();
    await panel.getByText("pass", { exact: true }).waitFor();
    const next = /cake-orders\.md, prose\/stock-phrases: is stale/u;
    await page.getByRole("gridcell", { name: next }).click();
    await panel.getByText("notes/cake-orders.md").waitFor();
    await panel.getByRole("button", { name: "Review again" }).click();
    await panel.getByText("pass", { exact: true }).waitFor();
    const fresh = await noteId(studio, "notes/cake-orders.md");
    const pair = `/api/v1/notes/pair?note_id=${fresh}&gate=${gate}`;
    const { at } = (await ask(studio, pair)).body.review;
    await panel.getByRole("button", { name: "Review again" }).click();
    const reviewedAt = async () => (await ask(studio, pair)).body.review.at;
    await expect.poll(reviewedAt).not.toBe(at);
    expect((await ask(studio, pair)).body.state).toBe("fresh");
    await vi.waitUntil(isOver, { timeout: 60_000 });
  });

  it("count one decision when two decide the same, and say so to the other", async () => {
    const { studio } = await studioWithNotes();
    const note_id = await noteId(studio, "notes/allergens.md");
    const pair = (await ask(studio, `/api/v1/notes/pair?note_id=${note_id}&gate=${gate}`)).body;
    const mira = await visit(studio, `/notes?note=${note_id}&of=${gate}`);
    await mira.page.getByRole("button", { name: "Acknowledge" }).click();
    await mira.page.getByLabel("Why?").fill("I think so");
    const act = { note_id, gate, version: pair.version, reason: "first", by: "Jon" };
    const both = [
      await ask(studio, "/api/v1/notes/acknowledge", act),
      await ask(studio, "/api/v1/notes/acknowledge", act),
    ];
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
    await mira.page.keyboard.press("Control+Enter");
    await mira.page.getByRole("alert").getByText("have changed since you looked").waitFor();
    const { notes } = (await ask(studio, "/api/v1/notes/work")).body;
    const [{ fingerprint }] = notes[0].findings;
    const dismissals = ["Mira", "Jon"].map((by) =>
      ask(studio, "/api/v1/notes/dismiss", { fingerprint, reason: `${by} says so`, by }),
    );
    const ended = await Promise.all(dismissals);
    expect(ended.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("are not reviewed by an outdated plan or an unnamed judge", async () => {
    const { root, studio } = await studioWithNotes();
    const { version } = (await ask(studio, "/api/v1/notes/plan", {})).body;
    writeFileSync(join(root, "notes", "complaints.md"), "# Complaints\n\nWe listen.\n");
    const late = await ask(studio, "/api/v1/notes/review", { version });
    expect([late.status, late.body.code]).toEqual([409, "plan-moved"]);
    const stranger = await ask(studio, "/api/v1/notes/plan", { model: "script:../../x.json" });
    expect([stranger.status, stranger.body.code]).toEqual([400, "model-not-found"]);
  });

  it("say what to do where there are none", async () => {
    const studio = await serveStudio(newProjectFolder());
    const { page } = await visit(studio, "/notes");
    await page.getByText("No notes yet").waitFor();
  });

  it("can be used by everybody, in every width and colour", async () => {
    const { studio } = await studioWithNotes();
    const note = await noteId(studio, "notes/newsletter.md");
    const { page } = await visit(studio, "/notes");
    const hasNoGrid = async () => ((await page.getByRole("grid").isVisible()) ? 0 : "no matrix");
    const paths = ["/notes", `/notes?note=${note}&of=${gate}`];
    await expectUsable(
      page,
      paths.map((path) => studio.origin + path),
      hasNoGrid,
    );
  });
});
