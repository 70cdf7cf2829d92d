import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../../support/browser.ts";
import { preparedFolder } from "../../support/prepared-folder.ts";
import { newProjectFolder, serveStudio, studioWithoutSocket } from "../../support/studio.ts";
import {
  addCandidate,
  makeEpisode,
  makeNotes,
  signoffIn,
  workspace,
} from "../../support/studio-episode.ts";

const { visit } = sharedBrowser();
const episode = preparedFolder(makeEpisode);
const bakery = preparedFolder(makeNotes);

const image = '<img src=x onerror="window.hacked=1">';
const script = "<script>window.hacked=1</script>";
const link = '<a href="javascript:window.hacked=1">free</a> [free](javascript:window.hacked=1)';
const hostile = `${image} ${script} ${link}`;

describe("an episode whose files try to be more than text", () => {
  it("shows candidates, chapters, reasons and names letter by letter, and nothing runs", async () => {
    const root = newProjectFolder();
    episode.copyTo(root);
    addCandidate(root, "slug", hostile);
    const chapters = join(root, workspace, "transcript/chapters.txt");
    writeFileSync(
      chapters,
      readFileSync(chapters, "utf8").replaceAll(
        "The flood and the first pump",
        "<svg/onload=hacked=1>",
      ),
    );
    renameSync(join(root, workspace), join(root, "episodes", "<img src=x onerror=hacked=1>"));
    const studio = await serveStudio(root, { by: `Mira ${image}` });
    const { page, foreignRequests, complaints } = await visit(studio, "/episodes");
    await page.getByText("onerror").first().click();
    await page.getByText("<svg/onload=hacked=1>").waitFor();
    await page.getByRole("link", { name: /^Slug/u }).click();
    await page.getByTestId("candidate-text").getByText(script).waitFor();
    await page.keyboard.press("d");
    expect(await page.getByTestId("differences").innerText()).toContain("window.hacked=1");
    await page.keyboard.press("p");
    await page.getByLabel("Why change the locked text?").fill(hostile);
    await page.keyboard.press("Control+Enter");
    await page.getByText(`Mira ${image}`, { exact: true }).waitFor();
    expect(await page.locator("main img, main script, main a[href^=javascript]").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is not found behind a link that leads out, nor under an id that is a path", async () => {
    const elsewhere = newProjectFolder();
    episode.copyTo(elsewhere);
    const root = newProjectFolder();
    mkdirSync(join(root, "episodes"));
    symlinkSync(join(elsewhere, workspace), join(root, "episodes", "stolen"));
    const { ask } = await studioWithoutSocket(root);
    expect(await (await ask("GET", "/api/v1/episodes")).json()).toEqual({ episodes: [] });
    for (const id of ["..%2f..%2fetc", "episodes%2fstolen", "%00", "a".repeat(5_000)]) {
      expect([id, (await ask("GET", `/api/v1/episodes/${id}`)).status]).toEqual([id, 404]);
    }
    const asset = "/api/v1/episodes/0123456789abcdef/assets/..%2f..%2fstate";
    expect((await ask("GET", asset)).status).toBe(404);
  });

  it("is read under the name of a text that is also a member of every object", async () => {
    const root = newProjectFolder();
    episode.copyTo(root);
    const { ask } = await studioWithoutSocket(root);
    const { episodes } = await (await ask("GET", "/api/v1/episodes")).json();
    const text = await ask("GET", `/api/v1/episodes/${episodes[0].id}/assets/constructor`);
    expect([text.status, (await text.json()).candidates]).toEqual([200, []]);
  });
});

describe("notes that try to be more than text", () => {
  it("show names, findings and quotes letter by letter, and nothing runs", async () => {
    const root = newProjectFolder();
    bakery.copyTo(root);
    const name = "notes/<img src=x onerror=hacked=1>.md";
    const head = "---\ndescription: What the shop knows\nstatus: current\n---\n# Shop\n\n";
    const body = `This is a game changer. ${hostile}\n`;
    writeFileSync(join(root, name), head + body);
    await signoffIn(root, "notes", "review", "--quiet");
    const studio = await serveStudio(root);
    const { page, foreignRequests, complaints } = await visit(studio, "/notes?gate=prose&reason=w");
    await page.getByRole("rowheader", { name: "<img src=x onerror=hacked=1>" }).waitFor();
    const cell = page.getByRole("gridcell", { name: /onerror.*stock-phrases: has warnings/u });
    await cell.click();
    const panel = page.getByRole("region", { name: "The chosen pair" });
    await panel.getByTestId("note-text").getByText(script).waitFor();
    await panel.getByText("What the reviewer wrote").click();
    await panel.getByRole("button", { name: "Dismiss" }).click();
    await page.getByLabel("Why dismiss this finding?").fill(hostile);
    await page.keyboard.press("Control+Enter");
    await panel.getByText(`Dismissed: ${image}`).waitFor();
    expect(await page.locator("main img, main script, main a[href^=javascript]").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("are named by ids alone: a path is no note, and no file outside is read", async () => {
    const root = newProjectFolder();
    bakery.copyTo(root);
    const { ask } = await studioWithoutSocket(root);
    for (const id of ["../../etc/passwd", "notes/allergens.md", "0123456789abcdef"]) {
      const query = new URLSearchParams({ note_id: id, gate: "prose/stock-phrases" });
      const { status } = await ask("GET", `/api/v1/notes/pair?${query}`);
      expect([id, status]).toEqual([id, id.length === 16 && !id.includes("/") ? 404 : 422]);
    }
    const body = { note_ids: ["../../etc/passwd"] };
    expect((await ask("POST", "/api/v1/notes/plan", body)).status).toBe(422);
    const { notes, note_ids } = await (await ask("GET", "/api/v1/notes/matrix")).json();
    expect(notes.every((path: string) => path.startsWith("notes/"))).toBe(true);
    const query = new URLSearchParams({ note_id: note_ids[0], gate: "../../../etc/passwd" });
    const refused = await ask("GET", `/api/v1/notes/pair?${query}`);
    expect([refused.status, (await refused.json()).code]).toEqual([422, "gate-unknown"]);
  });
});
