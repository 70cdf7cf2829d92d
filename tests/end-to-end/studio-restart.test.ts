import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { runSignoff } from "../support/signoff-process.ts";
import { newProjectFolder } from "../support/studio.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

const start = (root: string, args: readonly string[], env: object = {}) =>
  startStudioProcess(root, ["studio", "--port", "0", ...args], env);

async function endOf(server: StudioProcess, run: string): Promise<string> {
  const response = await server.ask("GET", `/api/v1/runs/${run}/events`);
  const text = await response.text();
  return /event: end\ndata: \{"state":"(\w+)"\}/u.exec(text)?.[1] ?? "nothing";
}

/** Starts a draft in a server that is killed in the middle of it, without a chance to say goodbye. */
async function killedDraft(root: string): Promise<string> {
  const server = await start(root, [], { SIGNOFF_STOP_AT: "reply-recorded:2" });
  const ended = once(server.process, "exit");
  const response = await server.ask("POST", "/api/v1/drafts", { brief: "smart watches" });
  const { run_id: run } = (await response.json()) as { run_id: string };
  expect((await ended)[1]).toBe("SIGKILL");
  return run;
}

describe("a studio that is killed while it writes", () => {
  it("finds the run again, and finishes it without asking twice what was answered", async () => {
    const root = newProjectFolder();
    const run = await killedDraft(root);
    const server = await start(root, []);
    const found = await (await server.ask("GET", `/api/v1/runs/${run}`)).json();
    expect(found).toMatchObject({ state: "interrupted", resumable: true });
    const before = await (await server.ask("GET", `/api/v1/runs/${run}/calls`)).json();
    const resumed = await server.ask("POST", `/api/v1/runs/${run}/resume`, {});
    expect(resumed.status).toBe(202);
    expect(await endOf(server, run)).toBe("finished");
    const after = await (await server.ask("GET", `/api/v1/runs/${run}/calls`)).json();
    const keys = (after as { calls: { key: string }[] }).calls.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan((before as { calls: object[] }).calls.length - 1);
    expect(await (await server.ask("GET", `/api/v1/drafts/${run}`)).json()).toMatchObject({
      completion_reason: "approved",
    });
  });

  it("goes on by itself when it is started to adopt what was left behind", async () => {
    const root = newProjectFolder();
    const run = await killedDraft(root);
    const server = await start(root, ["--adopt"]);
    expect(await endOf(server, run)).toBe("finished");
  });
});

describe("the studio as it is installed", () => {
  it("serves its own pages and files, compressed where that is understood", async () => {
    const server = await start(newProjectFolder(), []);
    const page = await (await server.ask("GET", "/inbox")).text();
    expect(page).toContain('<div id="root">');
    const script = /src="\.?(\/assets\/[^"]+\.js)"/u.exec(page)?.[1] ?? "";
    const response = await server.ask("GET", script);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("cache-control")).toContain("immutable");
  });
});

describe("a studio that is stopped", () => {
  it("leaves with 0 and lets go of those who listen", async () => {
    const server = await start(newProjectFolder(), []);
    const listening = await server.ask("GET", "/api/v1/events");
    const ended = once(server.process, "exit");
    server.process.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
    await listening.text().catch(() => undefined);
  });

  it("leaves with 0 also in the moment it tells its address, while a browser is looked for", async () => {
    const server = await start(newProjectFolder(), ["--open"], { PATH: "/nowhere" });
    const ended = once(server.process, "exit");
    server.process.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
  });

  it("says so when its port is taken", async () => {
    const root = newProjectFolder();
    const child = await start(root, []);
    const health = await child.ask("GET", "/api/v1/health");
    const port = new URL(health.url).port;
    const { code, stderr } = await runSignoff(["studio", "--port", port], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} is in use`);
  });
});
