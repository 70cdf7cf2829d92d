import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  newProjectFolder,
  runStory,
  type SocketlessStudio,
  signed,
  studioWithoutSocket,
  unsigned,
} from "../../tests/support/studio.ts";
import { runId } from "../domain/values/ids.ts";

/** What answers of many routes have in common with each other: their names. */
interface Answer {
  readonly [name: string]: unknown;
  readonly run_id: string;
  readonly next_run_id: string;
  readonly runs: readonly { readonly run_id: string }[];
  readonly days: readonly { readonly runs: number; readonly calls: number }[];
  readonly turn_count: number;
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}

interface Operation {
  readonly operationId: string;
}

async function json(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

async function finished(studio: SocketlessStudio, run: string) {
  await studio.project.engine.ending(runId(run), new AbortController().signal);
  await studio.hub.idle();
}

describe("a request that breaks off", () => {
  it("is answered as incomplete and is no bug", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error("aborted")),
    });
    const refused = await studio.ask("POST", "/api/v1/drafts", body);
    expect(refused.status).toBe(400);
    expect(await json(refused)).toMatchObject({ code: "body-incomplete" });
    expect(studio.reported).toEqual([]);
  });
});

describe("drafts over HTTP", () => {
  it("start at once with the place to look, and end like any other run", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const started = await studio.ask("POST", "/api/v1/drafts", { brief: "water bottles" });
    expect(started.status).toBe(202);
    const { run_id: run } = await json(started);
    expect(started.headers.get("location")).toBe(`/api/v1/runs/${run}`);
    await finished(studio, run);
    const session = await json(await studio.ask("GET", `/api/v1/drafts/${run}`));
    expect(session).toMatchObject({
      run_id: run,
      user_input: "water bottles",
      completion_reason: "approved",
      stand_in: true,
      succeeded: true,
    });
    expect(session).toHaveProperty("final_slogan");
    const turns = await json(await studio.ask("GET", `/api/v1/drafts/${run}/turns`));
    expect(turns).toMatchObject({ phase: "completed", previous: [] });
  });

  it("are one draft for one idempotency key, and refuse the key for another wish", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const key = { "idempotency-key": "order-17" };
    const brief = { brief: "water bottles" };
    const one = await json(await studio.ask("POST", "/api/v1/drafts", brief, key));
    const two = await json(await studio.ask("POST", "/api/v1/drafts", brief, key));
    expect(two.run_id).toBe(one.run_id);
    const other = await studio.ask("POST", "/api/v1/drafts", { brief: "night trains" }, key);
    expect(other.status).toBe(409);
    expect(await json(other)).toMatchObject({ code: "idempotency-key-reused" });
    const { runs } = await json(await studio.ask("GET", "/api/v1/drafts"));
    expect(runs).toHaveLength(1);
  });

  it("are answered by their idempotency key even if the request would mean something else now", async () => {
    const root = newProjectFolder();
    const recipe = (characters: number) => {
      mkdirSync(join(root, "signoff/recipes"), { recursive: true });
      const head = `id: motto\ntitle: Motto\nformat: plain\nchecks:\n  - { kind: max_length, characters: ${characters}, severity: error }`;
      const text = `---\n${head}\n---\n\n## Writer\n\nYou write mottos.\n\n## Reviewer\n\nYou judge mottos.\n`;
      writeFileSync(join(root, "signoff/recipes/motto.md"), text);
    };
    recipe(80);
    const studio = await studioWithoutSocket(root);
    const key = { "idempotency-key": "order-18" };
    const request = { brief: "water bottles", recipe: "motto" };
    const one = await json(await studio.ask("POST", "/api/v1/drafts", request, key));
    expect(one).toHaveProperty("run_id");
    recipe(90);
    const two = await studio.ask("POST", "/api/v1/drafts", request, key);
    expect(await json(two)).toMatchObject({ run_id: one.run_id });
  });

  it("are refused with everything that is wrong, and nothing is started", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const refused = async (body: object) => {
      const response = await studio.ask("POST", "/api/v1/drafts", body);
      return { status: response.status, ...(await json(response)) };
    };
    expect(await refused({ brief: "  ", max_turns: 99 })).toMatchObject({
      status: 422,
      code: "request-invalid",
      details: [expect.stringContaining("brief"), expect.stringContaining("max-turns")],
    });
    expect(await refused({ brief: "bottles", maxturns: 2 })).toMatchObject({ status: 422 });
    expect(await refused({ from: " ", context: [{ name: "fares.txt", text: "" }] })).toMatchObject({
      ...{ status: 422, code: "request-invalid" },
      details: [expect.stringContaining("fares.txt"), expect.stringContaining("text")],
    });
    expect(await refused({ brief: "bottles", review_only: true })).toMatchObject({ status: 422 });
    expect(await refused({ brief: "bottles", model: "offline/oracle" })).toMatchObject({
      status: 400,
      code: "model-not-found",
    });
    expect(await refused({ brief: "bottles", model: "script:/etc/passwd" })).toMatchObject({
      status: 400,
    });
    expect(await refused({ brief: "bottles", recipe: "../../secret" })).toMatchObject({
      status: 422,
      code: "recipe-unknown",
    });
    expect((await json(await studio.ask("GET", "/api/v1/runs"))).runs).toEqual([]);
  });
});

describe("a person's decision over HTTP", () => {
  it("answers every question that the inbox lists, whatever its id looks like", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const asked = { brief: "water bottles", model: "live-agent/me" };
    const { run_id: run } = await json(await studio.ask("POST", "/api/v1/drafts", asked));
    await finished(studio, run);
    const { items } = await json(await studio.ask("GET", "/api/v1/inbox"));
    const [{ id, version, choices }] = items as [
      { id: string; version: number; choices: string[] },
    ];
    expect(id).toContain("/");
    const path = `/api/v1/inbox/${encodeURIComponent(id)}/decide`;
    const answer = { version, choice: choices[0] ?? "reply", text: "Hydrate Green" };
    expect(await studio.ask("POST", path, answer)).toMatchObject({ status: 202 });
    await finished(studio, run);
    const unknown = `/api/v1/inbox/${encodeURIComponent("unknown:asked/this")}/decide`;
    expect(await studio.ask("POST", unknown, answer)).toMatchObject({ status: 404 });
  });

  it("counts one decision: the second person reads who was first and changes nothing", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, unsigned);
    const studio = await studioWithoutSocket(root);
    const { items } = await json(await studio.ask("GET", "/api/v1/inbox"));
    expect(items).toMatchObject([{ kind: "needs_human", run_id: run, version: 0 }]);
    const path = `/api/v1/drafts/${run}/rulings`;
    const approve = { act: "approve", version: 0, reason: "the client loves it", turn: 2 };
    const first = await studio.ask("POST", path, approve);
    expect(first.status).toBe(201);
    expect(await json(first)).toMatchObject({
      ruling: { number: 1, by: "Mira", text: "Hear it again, for years." },
      next_run_id: null,
    });
    const second = await studio.ask("POST", path, {
      act: "request_changes",
      version: 0,
      reason: "say workshop",
      by: "Jon",
    });
    expect(second.status).toBe(409);
    expect(await json(second)).toMatchObject({
      code: "already-decided",
      message: expect.stringContaining("Mira approved it: the client loves it"),
    });
    const { rulings } = await json(await studio.ask("GET", path));
    expect(rulings).toHaveLength(1);
    expect((await json(await studio.ask("GET", "/api/v1/inbox"))).items).toEqual([]);
    expect((await json(await studio.ask("GET", "/api/v1/runs"))).runs).toHaveLength(1);
  });

  it("goes on with the next generation when changes are requested", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, unsigned);
    const studio = await studioWithoutSocket(root);
    const act = { act: "request_changes", version: 0, reason: "say workshop" };
    const ruled = await json(await studio.ask("POST", `/api/v1/drafts/${run}/rulings`, act));
    const next = ruled.next_run_id;
    await finished(studio, next);
    expect(await json(await studio.ask("GET", `/api/v1/runs/${next}`))).toMatchObject({
      follows: run,
    });
    const turns = await json(await studio.ask("GET", `/api/v1/drafts/${next}/turns`));
    expect(turns.previous).toHaveLength(2);
  });

  it("is refused while the loop has not come to one of its own", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const unknown = "00000000-0000-4000-8000-000000000000";
    const act = { act: "approve", version: 0, reason: "yes" };
    expect((await studio.ask("POST", `/api/v1/drafts/${unknown}/rulings`, act)).status).toBe(404);
  });
});

describe("runs over HTTP", () => {
  it("come in pages that follow each other without gap or repetition", async () => {
    const root = newProjectFolder();
    const newestFirst = [];
    for (const brief of ["bottles", "watches", "trains", "tools", "tides"]) {
      newestFirst.unshift(await runStory(root, { ...signed, brief }));
    }
    const studio = await studioWithoutSocket(root);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await json(await studio.ask("GET", `/api/v1/runs?limit=2${cursor}`));
      seen.push(...page.runs.map(({ run_id }) => run_id));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    expect(seen).toEqual(newestFirst);
    const wrong = await studio.ask("GET", "/api/v1/runs?cursor=bm9uc2Vuc2U");
    expect(wrong.status).toBe(422);
    expect(await json(wrong)).toMatchObject({ code: "cursor-invalid" });
  });

  it("show their calls with prompt and raw reply", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, signed);
    const studio = await studioWithoutSocket(root);
    const { calls } = await json(await studio.ask("GET", `/api/v1/runs/${run}/calls`));
    expect(calls).toHaveLength(4);
    const key = encodeURIComponent("turn/2/candidate/1/review/reviewer");
    const exchange = await json(await studio.ask("GET", `/api/v1/runs/${run}/call?key=${key}`));
    expect(exchange).toMatchObject({ role: "reviewer", reply: "SHIP IT!" });
    expect(exchange.user).toContain("Fall asleep in Hamburg");
    expect((await studio.ask("GET", `/api/v1/runs/${run}/call?key=nothing`)).status).toBe(404);
  });

  it("say that there is nothing to cancel or resume once they are over", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, signed);
    const studio = await studioWithoutSocket(root);
    const cancel = await studio.ask("POST", `/api/v1/runs/${run}/cancel`, { reason: "late" });
    const resume = await studio.ask("POST", `/api/v1/drafts/${run}/resume`, {});
    expect([cancel.status, resume.status]).toEqual([409, 409]);
  });

  it("tell their events from the one after the last that was seen", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, signed);
    const studio = await studioWithoutSocket(root);
    const all = await (await studio.ask("GET", `/api/v1/runs/${run}/events`)).text();
    const later = await (
      await studio.ask("GET", `/api/v1/runs/${run}/events`, undefined, { "last-event-id": "5" })
    ).text();
    const ids = (text: string) => [...text.matchAll(/^id: (\d+)$/gmu)].map(([, id]) => Number(id));
    expect(ids(all)[0]).toBe(1);
    expect(ids(later)).toEqual(ids(all).slice(5));
    expect(later).toMatch(/event: end\ndata: \{"state":"finished"\}/u);
  });

  it("are counted in money and tokens by day and by model", async () => {
    // Midnight may come between the run and the question.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-02T08:00:00Z") });
    onTestFinished(() => void vi.useRealTimers());
    const root = newProjectFolder();
    await runStory(root, signed);
    const studio = await studioWithoutSocket(root);
    const costs = await json(await studio.ask("GET", "/api/v1/costs?days=2"));
    expect(costs.days.map(({ runs, calls }) => [runs, calls])).toEqual([
      [0, 0],
      [1, 4],
    ]);
    expect(costs.models).toMatchObject([{ calls: 4, micro_usd: 0, unpriced: 0 }]);
  });
});

describe("what surrounds the runs", () => {
  it("is answered: health, models, recipes, settings", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const health = await studio.ask("GET", "/api/v1/health");
    expect(health.status).toBe(200);
    expect(await json(health)).toMatchObject({
      status: "healthy",
      dependencies: { store: { connected: true } },
    });
    expect(await json(await studio.ask("GET", "/api/v1/models"))).toMatchObject({
      default_model: "offline/rules",
      models: expect.arrayContaining([
        { name: "offline/rules", display_name: "Offline Rules", stand_in: true },
      ]),
    });
    const { recipes } = await json(await studio.ask("GET", "/api/v1/recipes"));
    expect(recipes).toContainEqual(expect.objectContaining({ id: "slogan", origin: "built-in" }));
    const { settings } = await json(await studio.ask("GET", "/api/v1/settings"));
    expect(settings).toContainEqual(
      expect.objectContaining({ name: "models.writer", source: "default" }),
    );
  });

  it("is counted for Prometheus", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    await studio.ask("POST", "/api/v1/slogans/generate", { input: "smart watches" });
    await studio.hub.idle();
    const text = await (await studio.ask("GET", "/metrics")).text();
    expect(text).toMatch(/^workflow_runs_total\{completion_reason="approved"\} 1$/mu);
    expect(text).toMatch(/^workflow_turns_count 1$/mu);
    expect(text).toMatch(/^signoff_calls_total\{role="creator".*outcome="replied"\} \d/mu);
    expect(text).toMatch(/^signoff_runs_active 0$/mu);
  });

  it("is described by OpenAPI 3.1, each route of it answered by the server", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const document = await json(await studio.ask("GET", "/api/openapi.json"));
    expect(document.openapi).toBe("3.1.0");
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const id = "00000000-0000-4000-8000-000000000000";
    for (const { path, method } of operations.filter(({ path }) => path !== "/api/v1/events")) {
      const filled = path.replace("{run_id}", id).replace("{item_id}", id);
      const body = method === "post" ? {} : undefined;
      const response = await studio.ask(method.toUpperCase(), filled, body);
      const isGood = response.status === 200 || response.status === 204;
      const code = isGood ? undefined : (await json(response)).code;
      expect([path, code]).not.toEqual([path, "route-unknown"]);
      expect(response.status).toBeLessThan(500);
    }
    const docs = await (await studio.ask("GET", "/api/docs")).text();
    for (const { path } of operations) expect(docs).toContain(path.replace(/\{(\w+)\}/gu, ":$1"));
    expect(docs).not.toMatch(/<script|style=/u);
  });

  it("never tells what went wrong inside", async () => {
    const root = newProjectFolder();
    const studio = await studioWithoutSocket(root);
    const { parts } = studio;
    const broken = {
      ...parts,
      recipes: () => Promise.reject(new Error(`ENOENT ${root}/secret-plan.md`)),
    };
    const { createApp } = await import("./create-app.ts");
    const files = { answer: () => new Response("") };
    const app = createApp({ parts: broken, access: studio.access, files });
    const response = await app.request("/api/v1/recipes", {
      headers: { host: "127.0.0.1:4400", authorization: `Bearer ${studio.access.token}` },
    });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret-plan");
    expect(studio.reported).toHaveLength(1);
  });
});
