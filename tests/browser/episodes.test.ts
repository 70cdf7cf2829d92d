import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { expectUsable } from "../support/browser-checks.ts";
import { ownConnection } from "../support/own-connection.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { newProjectFolder, type ServedStudio, serveStudio } from "../support/studio.ts";
import { addCandidate, makeEpisode, signoffIn, workspace } from "../support/studio-episode.ts";

const { visit } = sharedBrowser();
const story = preparedFolder(makeEpisode);

async function studioWithEpisode() {
  const root = newProjectFolder();
  story.copyTo(root);
  const studio = await serveStudio(root);
  const { episodes } = (await ask(studio, "/api/v1/episodes")).body;
  return { root, studio, at: `/episodes/${episodes[0].id}` };
}

async function ask(studio: ServedStudio, path: string, body?: object, more: object = {}) {
  const response = await fetch(studio.origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${studio.token}`,
      "content-type": "application/json",
      ...ownConnection,
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

describe("an episode in the browser", () => {
  it("is found in the list, and its board has all thirteen texts, by a link and after a reload", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page, foreignRequests, complaints } = await visit(studio, "/episodes");
    await page.getByRole("link", { name: /long_shelf/u }).click();
    await page.getByRole("heading", { name: "long_shelf" }).waitFor();
    await page.reload();
    const board = page.getByRole("list", { name: "Texts" });
    await board.getByText("Needs a person").waitFor();
    expect(await board.getByRole("listitem").count()).toBe(13);
    const slug = board.getByRole("link", { name: /^Slug/u });
    expect(await slug.innerText()).toMatch(/Signed[\s\S]*locked[\s\S]*stand-ins/u);
    await page.getByText("What a library of things is").waitFor();
    await page.getByRole("heading", { name: "Summary" }).waitFor();
    await page.goto(`${studio.origin}${at}/linkedin`);
    await page.getByText("A person has to pick a text").waitFor();
    await page.reload();
    await page.getByText("Give at least two concrete points").waitFor();
    await page.goto(`${studio.origin}/episodes/0123456789abcdef`);
    await page.getByText("There is no such episode").waitFor();
    expect(foreignRequests).toEqual([]);
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  it("shows the chapters that a person has edited, and commands that name the workspace", async () => {
    const { studio, at, root } = await studioWithEpisode();
    const chapters = join(root, workspace, "transcript/chapters.txt");
    const text = readFileSync(chapters, "utf8");
    writeFileSync(chapters, text.replace("What a library of things is", "What to lend"));
    writeFileSync(join(root, workspace, "copy/selected/slug.txt"), "a-shelf-by-hand\n");
    const { page } = await visit(studio, at);
    await page.getByText("What to lend").waitFor();
    const commands = await page.locator("code", { hasText: /^signoff /u }).allInnerTexts();
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) expect(command).toContain(` --workspace ${workspace}`);
    await page.goto(`${studio.origin}${at}/slug`);
    await page
      .getByText(`signoff episode adopt --asset-id slug --workspace ${workspace}`)
      .waitFor();
  });

  it("is answered by the API as the command line prints it", async () => {
    const { root, studio, at } = await studioWithEpisode();
    const printed = await signoffIn(root, "episode", "status", "--workspace", workspace, "--json");
    expect((await ask(studio, `/api/v1${at}`)).body).toEqual(JSON.parse(printed));
  });

  it("shows candidates side by side, with what differs, as a link can say", async () => {
    const { studio, at, root } = await studioWithEpisode();
    addCandidate(root, "slug", "a-shelf-for-everything");
    const { page } = await visit(studio, `${at}/slug`);
    await page.getByText("a-shelf-for-everything").waitFor();
    expect(await page.getByTestId("candidate-text").count()).toBe(2);
    await page.keyboard.press("d");
    await page.getByTestId("differences").locator("ins").first().waitFor();
    expect(page.url()).toContain("diff=true");
    await page.reload();
    await page.getByTestId("differences").waitFor();
  });

  it("lets a person pick with a reason, without a mouse, and keeps who did it", async () => {
    const { studio, at, root } = await studioWithEpisode();
    addCandidate(root, "slug", "a-shelf-for-everything");
    const { page } = await visit(studio, `${at}/slug`);
    await page.getByText("a-shelf-for-everything").waitFor();
    await page.keyboard.press("p");
    await page.getByLabel("Why change the locked text?").waitFor();
    await page.keyboard.type("the feed says it so");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Picked by Mira").waitFor();
    await page.getByText("Mira picked a text").waitFor();
    await page.getByText("the feed says it so").waitFor();
  });

  it("takes a person's own text in the place of a candidate, without a mouse", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page } = await visit(studio, `${at}/description`);
    await page.getByTestId("candidate-text").first().waitFor();
    await page.keyboard.press("e");
    await page.getByLabel(/^Text/u).fill("A shelf that lends you its ladder.");
    await page.getByLabel("Why this text?").fill("shorter");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Adopted by Mira").waitFor();
    const { body } = await ask(studio, `/api/v1${at}/assets/description`);
    expect(body).toMatchObject({
      state: "picked",
      selection: { text: expect.stringContaining("lends you its ladder") },
    });
  });

  it("shows a text that was edited by hand as unsigned, until a person adopts it", async () => {
    const { studio, at, root } = await studioWithEpisode();
    writeFileSync(join(root, workspace, "copy/selected/slug.txt"), "a-shelf-by-hand\n");
    const { page } = await visit(studio, `${at}/slug`);
    await page.getByText("slug.txt was changed after it was selected").waitFor();
    await page.keyboard.press("a");
    await page.getByLabel("Why is it right?").fill("it is what the feed has");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Adopted by Mira").waitFor();
    expect(await page.getByTestId("candidate-text").first().innerText()).toBe("a-shelf-by-hand");
    const { body } = await ask(studio, `/api/v1${at}/assets/slug`);
    expect(body).toMatchObject({ state: "picked", deciders: ["person"], missing: [] });
  });

  it("unlocks with a reason, and a review goes on from there until it is signed", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page } = await visit(studio, `${at}/linkedin`);
    await page.getByText("A person has to pick a text").waitFor();
    await page.keyboard.press("u");
    await page.getByLabel("Why unlock it?").fill("one turn was too few");
    await page.getByRole("dialog").getByRole("button", { name: "Unlock" }).click();
    await page.getByText("Mira unlocked it").waitFor();
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("link", { name: "Open the run" }).waitFor();
    await page.getByText("Both sides signed").waitFor();
    await page.getByText("Turn 2:").waitFor();
  });

  it("waits in the inbox where a loop was not signed, and leaves it with a person's ruling", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page } = await visit(studio, "/inbox");
    await page.getByRole("button", { name: /linkedin of .*long_shelf/u }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${at}/linkedin`);
    await page.goBack();
    await page.getByRole("link", { name: "Open the text" }).click();
    await page.getByText("A person has to pick a text").waitFor();
    const { items } = (await ask(studio, "/api/v1/inbox")).body;
    expect(items).toMatchObject([{ kind: "needs_human", choices: ["pick", "unlock"] }]);
    const { version } = (await ask(studio, `/api/v1${at}/assets/linkedin`)).body;
    const ruling = { version, reason: "Ask a question at the end" };
    expect((await ask(studio, `/api/v1${at}/assets/linkedin/unlock`, ruling)).status).toBe(200);
    await page.goto(`${studio.origin}/inbox`);
    await page.getByText("Nothing needs you").waitFor();
  });

  it("drafts a text that is missing and says when nothing is left to do", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page } = await visit(studio, `${at}/mastodon`);
    await page.getByText("No candidate yet").waitFor();
    await page.getByRole("button", { name: "Draft more" }).click();
    await page.getByTestId("candidate-text").first().waitFor();
    await page.goto(`${studio.origin}${at}/slug`);
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("alert").getByText("Every text is already decided").waitFor();
  });

  it("acts once on a double click, and once more on the next", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page } = await visit(studio, `${at}/description`);
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
    });
    const draft = page.getByRole("button", { name: "Draft more" });
    const twice = (button: HTMLElement | SVGElement) => {
      for (const _ of [1, 2]) button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    };
    const runs = async () =>
      (await ask(studio, "/api/v1/runs?kind=episode-draft")).body.runs.length as number;
    await draft.waitFor();
    const before = await runs();
    for (const more of [1, 2]) {
      await draft.evaluate(twice);
      await expect.poll(runs).toBe(before + more);
      await expect.poll(() => draft.isEnabled()).toBe(true);
      expect(await runs()).toBe(before + more);
    }
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(2);
  });

  it("is drafted and reviewed once for one idempotency key, even when nothing is left to do", async () => {
    const { studio, at } = await studioWithEpisode();
    const post = (work: string, body: object, key: string) =>
      ask(studio, `/api/v1${at}/${work}`, body, { "idempotency-key": key });
    const wish = { asset_ids: ["mastodon"], candidates: 1, anew: true };
    const twice = await Promise.all([post("draft", wish, "d-1"), post("draft", wish, "d-1")]);
    expect(twice.map(({ status }) => status)).toEqual([202, 202]);
    expect(twice[0].body.run_id).toBe(twice[1].body.run_id);
    const other = await post("draft", { ...wish, candidates: 2 }, "d-1");
    expect([other.status, other.body.code]).toEqual([409, "idempotency-key-reused"]);
    const begun = await post("review", { asset_ids: ["title_seo"] }, "r-1");
    const { page } = await visit(studio, `${at}/title_seo`);
    await page.getByText("Both sides signed").waitFor();
    expect((await post("review", { asset_ids: ["title_seo"] }, "r-1")).body).toEqual(begun.body);
    expect((await post("review", { asset_ids: ["title_seo"] }, "r-2")).body.code).toBe(
      "nothing-to-do",
    );
    expect((await post("review", { asset_ids: ["mastodon"] }, "d-1")).status).toBe(409);
  });

  it("counts one decision when two pick at once: the other reads who was first", async () => {
    const { studio, at, root } = await studioWithEpisode();
    addCandidate(root, "slug", "a-shelf-for-everything");
    const mira = await visit(studio, `${at}/slug`);
    const jon = await visit(studio, `${at}/slug`);
    for (const { page } of [mira, jon]) {
      await page.getByRole("button", { name: /^Pick/u }).click();
      await page.getByLabel("Why change the locked text?").waitFor();
    }
    await mira.page.keyboard.type("shorter");
    await mira.page.keyboard.press("Control+Enter");
    await mira.page.getByText("Mira picked a text").waitFor();
    await jon.page.keyboard.type("I like it too");
    await jon.page.keyboard.press("Control+Enter");
    await jon.page.getByRole("alert").getByText("Mira did the last act (pick): shorter").waitFor();
  });

  it("refuses a decision about a version that is gone, and an unlock that another person made before", async () => {
    const { studio, at } = await studioWithEpisode();
    const path = `/api/v1${at}/assets/linkedin`;
    const { version } = (await ask(studio, path)).body;
    const both = await Promise.all(
      ["Mira", "Jon"].map((by) => ask(studio, `${path}/unlock`, { version, reason: "again", by })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = await ask(studio, `${path}/unlock`, { version, reason: "again" });
    expect([late.status, late.body.code]).toEqual([409, "asset-moved"]);
  });

  it("tells what is broken instead of failing", async () => {
    const { studio, at, root } = await studioWithEpisode();
    rmSync(join(root, workspace, "state.json"));
    const { page } = await visit(studio, at);
    await page.getByText("Files of this episode cannot be read").waitFor();
  });

  it("can be used by everybody, in every width and colour", async () => {
    const { studio, at } = await studioWithEpisode();
    const { page } = await visit(studio, "/episodes");
    const paths = ["/episodes", at, `${at}/description?diff=true`, `${at}/linkedin`];
    await expectUsable(
      page,
      paths.map((path) => studio.origin + path),
    );
  });
});
