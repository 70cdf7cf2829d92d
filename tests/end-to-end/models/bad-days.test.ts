import { describe, expect, it } from "vitest";
import { sendJson } from "../../support/loopback-server.ts";
import { happyStory, openModelServer } from "../../support/model-servers.ts";
import { ollamaWire } from "../../support/provider-wires.ts";
import { inFolder, listRuns, runSignoff } from "../../support/signoff-process.ts";
import { sparePort } from "../../support/spare-port.ts";

const bottles = "eco-friendly water bottles";

/** With a stopped clock there is no wait between two attempts. */
const patient = { SIGNOFF_FIXED_TIME: "2026-11-15T12:00:00.000Z" };

describe("Ollama on a bad day", () => {
  it.each([["3000000"], ["86400"]])(
    "asks to wait %s seconds: the run ends, can be resumed, and says when",
    async (wait) => {
      await inFolder(async (cwd) => {
        const server = await openModelServer({
          instead: ({ number }, response) => {
            if (number > 1) return false;
            response.writeHead(429, { "retry-after": wait }).end("{}");
            return true;
          },
        });
        const env = { OLLAMA_BASE_URL: server.url };
        const ended = await runSignoff(["draft", bottles], { cwd, env });
        expect(ended.code).toBe(5);
        expect(server.asked).toHaveLength(1);
        expect(`${ended.stdout}${ended.stderr}`.replace(/\s+/gu, " ")).toContain(
          "It may be asked again after 20",
        );
        expect(await listRuns({ cwd })).toMatchObject([{ resumable: true }]);
        expect(await runSignoff(["draft", bottles], { cwd, env })).toMatchObject({ code: 0 });
      });
    },
  );

  it("is down: exit 5 and one paragraph; the same command goes on when it is up", async () => {
    await inFolder(async (cwd) => {
      const port = await sparePort();
      const url = `http://127.0.0.1:${port}`;
      const env = { ...patient, OLLAMA_BASE_URL: url };
      const draft = (...more: string[]) => runSignoff(["draft", bottles, ...more], { cwd, env });
      const down = await draft("--json");
      expect(down.code).toBe(5);
      expect(down.stderr.replace(/\s+/gu, " ").trim()).toBe(
        `Error: The creator could not be asked (3 attempts): Ollama at ${url} cannot be reached (ECONNREFUSED). Start it with \`ollama serve\`, or name its address with --base-url or OLLAMA_BASE_URL.`,
      );
      expect(JSON.parse(down.stdout)).toMatchObject({
        completion_reason: "error",
        stand_in: false,
      });
      const again = await openModelServer({ port });
      const up = await draft();
      expect(up.code).toBe(0);
      expect(up.stderr).toContain("Resuming unfinished run");
      expect(again.asked).toHaveLength(4);
      expect(await listRuns({ cwd })).toMatchObject([{ state: "finished", outcome: "approved" }]);
    });
  });

  it("goes down in the middle: every finished turn is kept, and only what is missing is asked", async () => {
    await inFolder(async (cwd) => {
      const port = await sparePort();
      const first = await openModelServer({
        port,
        instead: ({ number }, response) => {
          if (number < 3) return false;
          response.destroy();
          return true;
        },
      });
      const env = { ...patient, OLLAMA_BASE_URL: first.url };
      const draft = () => runSignoff(["draft", bottles, "--json"], { cwd, env });
      const broken = await draft();
      expect(broken.code).toBe(5);
      expect(JSON.parse(broken.stdout)).toMatchObject({
        completion_reason: "error",
        turns: [{ turn_number: 1, slogan: "Hydrate Green, Live Clean", approved: false }],
      });
      await first.close();
      const rest = { writer: happyStory.writer.slice(1), reviewer: happyStory.reviewer.slice(1) };
      const second = await openModelServer({ port, story: rest });
      expect((await draft()).code).toBe(0);
      expect(second.asked.map(({ isReview }) => isReview)).toEqual([false, true]);
    });
  });

  it("answers 429 for ever: a bounded number of attempts, then an honest ending", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer({
        instead: (_, response) => {
          sendJson(response, 429, ollamaWire.error("slow down"), { "retry-after": "7" });
          return true;
        },
      });
      const env = { ...patient, OLLAMA_BASE_URL: server.url };
      const args = ["draft", bottles, "--retries", "5", "--json"];
      const ended = await runSignoff(args, { cwd, env });
      expect(ended.code).toBe(5);
      expect(server.asked).toHaveLength(5);
      expect(ended.stderr).toContain("5 attempts");
      expect((await listRuns({ cwd }))[0]).toMatchObject({ state: "failed", resumable: true });
    });
  });

  it("wants a longer wait than the time budget has: exit 4, resumable", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer({
        instead: (_, response) => {
          sendJson(response, 429, ollamaWire.error("slow down"), { "retry-after": "600" });
          return true;
        },
      });
      const env = { ...patient, OLLAMA_BASE_URL: server.url };
      const ended = await runSignoff(["draft", bottles, "--budget", "60s", "--json"], { cwd, env });
      expect(ended.code).toBe(4);
      expect(server.asked).toHaveLength(1);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        completion_reason: "budget",
        decision: null,
      });
    });
  });

  it("cuts the stream in the middle of a word: no half slogan becomes a candidate", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer({
        instead: ({ number }, response) => {
          if (number !== 1) return false;
          ollamaWire.begin(response, "Hydrate Gre");
          setImmediate(() => response.destroy());
          return true;
        },
      });
      const env = { ...patient, OLLAMA_BASE_URL: server.url };
      const ended = await runSignoff(["draft", bottles, "--json"], { cwd, env });
      expect(ended.code).toBe(0);
      expect(server.asked).toHaveLength(5);
      const { turns } = JSON.parse(ended.stdout) as { turns: readonly { slogan: string }[] };
      expect(turns.map(({ slogan }) => slogan)).toEqual(happyStory.writer);
    });
  });

  it("has no such model: exit 2 with the installed ones, before anything is generated or stored", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer({ offers: ["mistral:latest", "gemma2:2b"] });
      const env = { OLLAMA_BASE_URL: server.url };
      const draft = (...model: string[]) => runSignoff(["draft", bottles, ...model], { cwd, env });
      for (const model of [
        ["--model", "llama3.2"],
        ["--reviewer-model", "llama3.2"],
        ["--reviewer", "brand=llama3.2"],
      ]) {
        const ended = await draft(...model);
        expect(ended).toMatchObject({ code: 2, stdout: "" });
        const said = ended.stderr.replace(/\s+/gu, " ");
        expect(said).toContain("ollama/llama3.2:latest");
        expect(said).toContain("ollama/mistral:latest, ollama/gemma2:2b");
      }
      expect(server.asked).toEqual([]);
      expect(await listRuns({ cwd })).toEqual([]);
      expect(await draft("--model", "mistral")).toMatchObject({ code: 0 });
    });
  });
});
