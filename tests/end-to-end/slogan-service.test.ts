import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { openModelServer } from "../support/model-servers.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { sparePort } from "../support/spare-port.ts";
import { newProjectFolder } from "../support/studio.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

const generate = "/api/v1/slogans/generate";
const watches = { input: "smart watches" };

/** The service as its original was run: a process on a port, with an Ollama behind it. */
function serve(ollama: string, env: object = {}): Promise<StudioProcess> {
  const impatient = { OLLAMA_REQUEST_TIMEOUT: "100", SIGNOFF_LIMITS_RETRIES: "1" };
  return startStudioProcess(newProjectFolder(), ["studio", "--port", "0"], {
    ...{ OLLAMA_BASE_URL: ollama, ...impatient, ...env },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes, looked into by the tests
const bodyOf = async (response: Response): Promise<any> => JSON.parse(await response.text());

/** An Ollama that says nothing until it is let. */
function silent() {
  const held: ServerResponse[] = [];
  let isOpen = false;
  const speak = (response: ServerResponse) =>
    ollamaWire.send(response, { parts: ["SHIP IT! Time, at hand."] });
  return {
    instead: (_: unknown, response: ServerResponse) => {
      if (isOpen) return false;
      held.push(response);
      return true;
    },
    release: () => {
      isOpen = true;
      for (const response of held) speak(response);
    },
  };
}

describe("the slogan service with an Ollama", () => {
  it("answers with the slogan, the model's name and the request's own id", async () => {
    const ollama = await openModelServer();
    const studio = await serve(ollama.url);
    const response = await studio.ask("POST", generate, { ...watches, verbose: true });
    const answer = await bodyOf(response);
    expect(response.status, JSON.stringify(answer)).toBe(200);
    expect(answer).toMatchObject({
      slogan: "Hydrate Green, Save Our Seas",
      completion_reason: "approved",
      turn_count: 2,
      model_name: "ollama/mistral:latest",
      request_id: response.headers.get("x-request-id"),
    });
    expect(answer.turns.map(({ approved }: { approved: boolean }) => approved)).toEqual([
      false,
      true,
    ]);
    const health = await studio.ask("GET", "/api/v1/health");
    expect([health.status, (await bodyOf(health)).status]).toEqual([200, "healthy"]);
  });

  it("names the installed models where the wanted one is not among them", async () => {
    const ollama = await openModelServer();
    const studio = await serve(ollama.url);
    const response = await studio.ask("POST", generate, { ...watches, model: "llama9" });
    const problem = await bodyOf(response);
    expect([response.status, problem.code]).toEqual([400, "model-not-found"]);
    expect(problem.message).toContain("ollama/llama9:latest");
    expect(problem.message).toContain("mistral:latest");
    expect(ollama.asked).toHaveLength(0);
  });

  it("that is down answers 503 and loses nothing: the run goes on when it is back", async () => {
    const port = await sparePort();
    const studio = await serve(`http://127.0.0.1:${port}`);
    const response = await studio.ask("POST", generate, watches);
    const problem = await bodyOf(response);
    expect([response.status, problem.code]).toEqual([503, "service-unavailable"]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(problem.request_id).toBe(response.headers.get("x-request-id"));
    expect(JSON.stringify(problem)).not.toMatch(/ECONNREFUSED|node_modules|\.ts/u);
    const health = await studio.ask("GET", "/api/v1/health");
    expect(health.status).toBe(503);
    expect(await bodyOf(health)).toMatchObject({
      status: "degraded",
      dependencies: { store: { connected: true }, models: { connected: false } },
    });
    expect((await studio.ask("GET", "/api/v1/models")).status).toBe(503);

    await openModelServer({ port });
    expect((await studio.ask("GET", "/api/v1/health")).status).toBe(200);
    const resume = /\/api\/v1\/runs\/\S+\/resume/u.exec(problem.hint)?.[0] ?? "";
    expect((await studio.ask("POST", resume, {})).status).toBe(202);
    const draft = resume.replace("/runs/", "/drafts/").replace("/resume", "");
    await vi.waitFor(
      async () =>
        expect(await bodyOf(await studio.ask("GET", draft))).toMatchObject({
          completion_reason: "approved",
        }),
      { timeout: 60_000 },
    );
  });

  it("that never answers is given up on with 504", async () => {
    const { instead } = silent();
    const ollama = await openModelServer({ instead });
    const studio = await serve(ollama.url, { OLLAMA_REQUEST_TIMEOUT: "1" });
    const response = await studio.ask("POST", generate, watches);
    const problem = await bodyOf(response);
    expect([response.status, problem.code]).toEqual([504, "generation-timeout"]);
    expect(problem.request_id).toBe(response.headers.get("x-request-id"));
    // None where the machine was so busy that the question was still on its way.
    expect(ollama.asked.length).toBeLessThanOrEqual(1);
  });

  it("takes ten requests at once, refuses the next with 429, and queues a draft with 202", async () => {
    const { instead, release } = silent();
    const ollama = await openModelServer({ instead });
    const studio = await serve(ollama.url);
    const asked = Array.from({ length: 10 }, (_, at) =>
      studio.ask("POST", generate, { input: `watch number ${at}` }),
    );
    await vi.waitFor(
      async () =>
        expect((await bodyOf(await studio.ask("GET", "/api/v1/runs?limit=20"))).runs).toHaveLength(
          10,
        ),
      { timeout: 60_000 },
    );
    const refused = await studio.ask("POST", generate, { input: "watch number 11" });
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([429, "too-many-runs"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const queued = await studio.ask("POST", "/api/v1/drafts", { brief: "watch number 11" });
    expect(queued.status).toBe(202);
    release();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await studio.ask("POST", generate, watches)).status).toBe(200);
  });
});
