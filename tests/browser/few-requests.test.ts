import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { hesitant, openModelServer } from "../support/model-servers.ts";
import { ownConnection } from "../support/own-connection.ts";
import {
  newProjectFolder,
  runStory,
  type ServedStudio,
  serveStudio,
  signed,
} from "../support/studio.ts";

const { visit } = sharedBrowser();
const brief = "smart watches";

/** The requests for data that a page sends from now on. */
function requestsOf(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/") && !pathname.endsWith("/events")) sent.push(pathname);
  });
  return sent;
}

const headersOf = ({ token }: ServedStudio) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  ...ownConnection,
});

/** The server's events. It reports each change of a run twice: as its own event, and by its look at the store. */
async function listen(studio: ServedStudio) {
  const response = await fetch(`${studio.origin}/api/v1/events`, { headers: headersOf(studio) });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  const decoder = new TextDecoder();
  let text = "";
  return async (words: string, times: number): Promise<void> => {
    while (text.split(words).length <= times) {
      const { value } = await reader.read();
      text += decoder.decode(value, { stream: true });
    }
  };
}

it("a run costs one request on Home and one in the list of runs when it begins, and when it ends", async () => {
  const root = newProjectFolder();
  await runStory(root, signed);
  const writer = hesitant("Hydrate Green, ", "Live Clean");
  const ollama = await openModelServer({ instead: writer.instead });
  const env = { OLLAMA_BASE_URL: ollama.url, SIGNOFF_MODEL: "ollama/mistral" };
  const studio = await serveStudio(root, { env });
  const home = (await visit(studio)).page;
  const runs = (await visit(studio, "/runs")).page;
  await home.getByRole("region", { name: "Recent approvals" }).waitFor();
  await runs.getByRole("link", { name: signed.brief }).waitFor();
  for (const page of [home, runs]) await page.getByText("Live", { exact: true }).waitFor();
  const sent = { home: requestsOf(home), runs: requestsOf(runs) };
  const heard = await listen(studio);
  await heard("event: reset", 1);
  await fetch(`${studio.origin}/api/v1/drafts`, {
    method: "POST",
    headers: headersOf(studio),
    body: JSON.stringify({ brief }),
  });
  await heard('"what":"running"', 2);
  const running = home.getByRole("region", { name: "Running now" });
  await running.getByRole("link", { name: brief }).waitFor();
  await runs.getByRole("link", { name: brief }).waitFor();
  // Longer than a page gathers changes before it asks.
  await home.waitForTimeout(600);
  expect(sent).toEqual({ home: ["/api/v1/home"], runs: ["/api/v1/runs"] });

  await writer.begin();
  await writer.goOn();
  await heard('"what":"finished"', 2);
  const row = runs.getByRole("row", { name: new RegExp(brief, "u") });
  await row.getByText("Approved").waitFor();
  const approved = home.getByRole("region", { name: "Recent approvals" });
  await approved.getByRole("link", { name: brief }).waitFor();
  await home.waitForTimeout(600);
  expect(sent.runs).toEqual(["/api/v1/runs", "/api/v1/runs"]);
  expect(sent.home).toEqual(["/api/v1/home", "/api/v1/home"]);
});
