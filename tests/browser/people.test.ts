import { expect, it } from "vitest";
import type { PersonRole } from "../../src/domain/people/role.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { addPerson, removePerson } from "../../src/wiring/studio/people.ts";
import { sharedBrowser } from "../support/browser.ts";
import { seriousFindings } from "../support/browser-checks.ts";
import { newProjectFolder, runStory, serveStudio, unsigned } from "../support/studio.ts";

const { visit } = sharedBrowser();

/** A studio with one draft that needs a person, and the tokens of people who share it. */
async function sharedStudio(people: { readonly [name: string]: PersonRole }) {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  const studio = await serveStudio(root);
  const place = { root, environment: readEnvironment({}) };
  const as: { [name: string]: { readonly origin: string; readonly token: string } } = {};
  for (const [name, role] of Object.entries(people)) {
    as[name] = { origin: studio.origin, token: await addPerson(place, name, role) };
  }
  return { studio, run, place, as };
}

it("two people share an inbox: each sees what the other has open, and whose decision it was", async () => {
  const { as, run } = await sharedStudio({ Ann: "decide", Jon: "decide", Lou: "look" });
  const ann = await visit(as.Ann!, "/inbox");
  await ann.page.getByRole("button", { name: /^Approve/u }).waitFor();
  const jon = await visit(as.Jon!, "/inbox");
  await jon.page.getByRole("status").getByText("Ann has this open").waitFor();
  await ann.page.getByRole("status").getByText("Jon has this open").waitFor();
  expect(await seriousFindings(jon.page)).toEqual([]);
  await jon.page.goto(`${as.Jon!.origin}/`);
  await ann.page.getByText("Jon has this open").first().waitFor({ state: "detached" });
  await ann.page.keyboard.press("a");
  await ann.page.getByRole("dialog").waitFor();
  await ann.page.keyboard.type("it says what we do");
  await ann.page.keyboard.press("Control+Enter");
  await ann.page.getByText("Nothing needs you").waitFor();
  await jon.page.goto(`${as.Jon!.origin}/drafts/${run}`);
  await jon.page.getByText("Ann approved it").waitFor();
});

it("who may only look finds nothing to press, and who could", async () => {
  const { as, run } = await sharedStudio({ Ann: "decide", Lou: "look", Rae: "run" });
  const { page, complaints } = await visit(as.Lou!, "/inbox");
  await page.getByText("Ann or Rae can decide this (role decide).").waitFor();
  await page
    .getByText("Ann or Rae can select drafts and approve them together (role decide).")
    .waitFor();
  expect(await page.getByRole("button", { name: /^Approve|^Request|^Edit/u }).count()).toBe(0);
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await page.keyboard.press("a");
  await page.goto(`${as.Lou!.origin}/drafts/${run}`);
  await page.getByText("Ann or Rae can decide this (role decide).").waitFor();
  await page.goto(`${as.Lou!.origin}/drafts/new`);
  await page.getByText("Rae can start this (role run).").waitFor();
  expect(await page.getByRole("button", { name: "Write and review" }).count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(complaints).toEqual([]);
});

it("a session ends when its person signs out, and when the token is revoked", async () => {
  const { as, place } = await sharedStudio({ Ann: "decide", Jon: "run" });
  const ann = await visit(as.Ann!);
  await ann.page.getByRole("button", { name: "Settings" }).click();
  await ann.page.getByText("Signed in as Ann (decide)").waitFor();
  await ann.page.getByRole("menuitem", { name: "Sign out" }).click();
  await ann.page.getByRole("heading", { name: "Sign in to this studio" }).waitFor();
  await ann.page.getByLabel("Address or token").fill(as.Ann!.token);
  await ann.page.keyboard.press("Enter");
  await ann.page.getByRole("heading", { name: "Home" }).waitFor();
  const jon = await visit(as.Jon!);
  await jon.page.getByRole("heading", { name: "Home" }).waitFor();
  await removePerson(place, "Jon");
  await jon.page.getByRole("heading", { name: "Sign in to this studio" }).waitFor();
});
