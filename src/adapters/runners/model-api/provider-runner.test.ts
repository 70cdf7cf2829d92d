import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { furtherWires } from "../../../../tests/support/further-wires.ts";
import {
  type Answering,
  openLoopback,
  sendJson,
  sendText,
} from "../../../../tests/support/loopback-server.ts";
import {
  failureOf,
  requestFor,
  secretKey,
  type Wire,
  type WireReply,
  wires,
} from "../../../../tests/support/provider-wires.ts";
import { sparePort } from "../../../../tests/support/spare-port.ts";
import { readUsage } from "../../../domain/models/usage.ts";
import { ModelNotFoundError, RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Reply } from "../../../ports/runner.ts";

const open = new AbortController().signal;

/** Answers the question with `answer`; Ollama's other small questions get a harmless reply. */
function asking(wire: Wire, answer: Answering): Answering {
  return (seen, response) => {
    if (seen.path === wire.askPath) return answer(seen, response);
    if (seen.path === "/api/show") return sendJson(response, 200, {});
    return sendJson(response, 404, { error: "not here" });
  };
}

async function askedOf(wire: Wire, answer: Answering) {
  const server = await openLoopback(asking(wire, answer));
  const runner = wire.open(server.url);
  const asks = () => server.seen.filter(({ path }) => path === wire.askPath);
  return { server, runner, asks, ask: () => runner.attempt(requestFor(wire.model), open) };
}

async function replyOf(attempt: Promise<{ readonly kind: string }>): Promise<Reply> {
  const attempted = await attempt;
  expect(attempted.kind).toBe("replied");
  return (attempted as unknown as { readonly reply: Reply }).reply;
}

describe("a server that speaks almost like Ollama", () => {
  it("is refused without a word of the package on the terminal", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    const wire = wires[0] as Wire;
    const { ask } = await askedOf(wire, (_seen, response) =>
      response.end(`${JSON.stringify({ message: { role: "assistant", content: 7 } })}\n`),
    );
    expect(await failureOf(ask())).toMatchObject({ code: "bad-reply" });
    expect(warned).not.toHaveBeenCalled();
  });
});

const allWires = [...wires, ...furtherWires];

describe.each(allWires)("a runner of $title", (wire) => {
  it("refuses a reply of millions of characters", async () => {
    const parts = Array.from({ length: 5 }, () => "a".repeat(1_000_000));
    const { ask } = await askedOf(wire, (_seen, response) => wire.send(response, { parts }));
    expect(await failureOf(ask())).toMatchObject({ code: "bad-reply", retryable: false });
  });

  it.each<[unknown]>([[4e18], [1.5], [-20], ["20"], [{ count: 20 }], [[20]], [true], [Number.NaN]])(
    "returns the reply when the server counts %j tokens",
    async (figure) => {
      const reported = { input: figure as number, output: figure as number, cached: 0 };
      const { ask } = await askedOf(wire, (_seen, response) =>
        wire.send(response, { parts: ["Hydrate Green"], ...reported }),
      );
      const { text, usage } = await replyOf(ask());
      expect(text).toBe("Hydrate Green");
      expect(readUsage(usage)).toBeUndefined();
    },
  );

  it("streams the answer as it comes and returns it whole, with the model and the tokens", async () => {
    const { server, runner } = await askedOf(wire, (_seen, response) =>
      wire.send(response, { parts: ["Hydrate ", "Green, ", "Live Clean"], input: 42, output: 7 }),
    );
    const heard: string[] = [];
    const reply = await replyOf(
      runner.attempt(requestFor(wire.model), open, (part) => heard.push(part)),
    );
    expect(heard).toEqual(["Hydrate ", "Green, ", "Live Clean"]);
    expect(reply).toMatchObject({
      text: "Hydrate Green, Live Clean",
      finish: "complete",
      usage: { input: 42, output: 7 },
    });
    expect(reply.model.startsWith(`${prefixOf(wire)}/`)).toBe(true);
    expect(server.seen.at(-1)?.text).toContain("eco-friendly water bottles");
  });

  it("sends nothing before it may", async () => {
    const { server, runner } = await askedOf(wire, (_seen, response) =>
      wire.send(response, { parts: ["Hydrate Green"] }),
    );
    const sentBefore: number[] = [];
    await runner.attempt(requestFor(wire.model), open, undefined, async () => {
      sentBefore.push(server.seen.length);
    });
    expect(sentBefore).toEqual([...server.seen.keys()]);
  });

  it("says that an answer at the limit is cut", async () => {
    const { ask } = await askedOf(wire, (_seen, response) =>
      wire.send(response, { parts: ["Hydrate Gr"], end: "length" }),
    );
    expect(await replyOf(ask())).toMatchObject({ text: "Hydrate Gr", finish: "cut" });
  });

  it.each([
    [400, "bad-request", false],
    [401, "unauthorized", false],
    [403, "unauthorized", false],
    [408, "timed-out", true],
    [413, "bad-request", false],
    [422, "bad-request", false],
    [429, "rate-limited", true],
    [500, "server-error", true],
    [502, "server-error", true],
    [503, "overloaded", true],
    [529, "overloaded", true],
  ])("turns status %i into %s after one request", async (status, code, retryable) => {
    const { ask, asks } = await askedOf(wire, (_seen, response) =>
      sendJson(response, status, wire.error("The bottle is empty.")),
    );
    const error = await failureOf(ask());
    expect(error).toBeInstanceOf(RunnerError);
    expect(error).toMatchObject({ code, retryable, facts: { status, model: wire.model } });
    expect(error.message).toContain(String(status));
    expect(error.message.includes("The bottle is empty.")).toBe(code !== "unauthorized");
    expect(error.message).not.toContain("\n");
    expect(asks()).toHaveLength(1);
  });

  it.each([
    ["7", 7_000],
    ["0", 0],
    ["Sun, 15 Nov 2026 12:00:30 GMT", 30_000],
    ["Sun, 15 Nov 2026 11:00:00 GMT", 0],
  ])("passes on Retry-After: %s", async (wish, retryAfterMs) => {
    const { ask } = await askedOf(wire, (_seen, response) =>
      sendJson(response, 429, wire.error("Slow down."), { "retry-after": wish }),
    );
    expect(await failureOf(ask())).toMatchObject({ code: "rate-limited", retryAfterMs });
  });

  it("gives every call of a 429 storm back at once, each after one request", async () => {
    const { ask, asks } = await askedOf(wire, (_seen, response) =>
      sendJson(response, 429, wire.error("Slow down."), { "retry-after": "1" }),
    );
    const errors = await Promise.all(Array.from({ length: 25 }, () => failureOf(ask())));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["rate-limited"]));
    expect(asks()).toHaveLength(25);
  });

  it("doubts the base URL when nothing is found there", async () => {
    const server = await openLoopback((_seen, response) =>
      sendText(response, 404, "text/html", "<html>Not here</html>"),
    );
    const error = await failureOf(wire.open(server.url).attempt(requestFor(wire.model), open));
    expect(error).toMatchObject({
      code: "model-not-found",
      hint: expect.stringContaining("base URL"),
    });
  });

  it("reports an unreachable server, with a hint", async () => {
    const gone = `http://127.0.0.1:${await sparePort()}`;
    const runner = wire.open(gone);
    for (const error of [
      await failureOf(runner.attempt(requestFor(wire.model), open)),
      ...(runner.models === undefined ? [] : [await failureOf(runner.models(open))]),
    ]) {
      expect(error).toMatchObject({
        code: "unreachable",
        retryable: true,
        facts: { reason: "ECONNREFUSED" },
        hint: expect.stringMatching(/\S/u),
      });
      expect(error.message).toContain(gone);
    }
  });

  it("says that fetch never opens the port, and which would do", async () => {
    for (const port of [22, 6000]) {
      const runner = wire.open(`http://127.0.0.1:${port}`);
      for (const error of [
        await failureOf(runner.attempt(requestFor(wire.model), open)),
        ...(runner.models === undefined ? [] : [await failureOf(runner.models(open))]),
      ]) {
        expect(error).toMatchObject({
          code: "bad-base-url",
          retryable: false,
          hint: expect.stringContaining("11434"),
        });
        expect(error.message).toContain(String(port));
      }
    }
  });

  it("reports a server that does not speak TLS", async () => {
    const server = await openLoopback(() => undefined);
    const runner = wire.open(server.url.replace("http:", "https:"));
    expect(await failureOf(runner.attempt(requestFor(wire.model), open))).toMatchObject({
      code: "unreachable",
    });
  });

  it("does not take a connection cut in the middle of a word for a reply", async () => {
    const { ask } = await askedOf(wire, (_seen, response) => {
      wire.begin(response, "Hydrate Gr");
      setImmediate(() => response.destroy());
    });
    expect(await failureOf(ask())).toMatchObject({ code: "connection-cut", retryable: true });
  });

  it("takes a stream that ends at any byte for the whole answer or for none", async () => {
    const parts = ["Hydrate ", "Grün, ", "Live Clean 🌱"];
    const whole = bytesOf(wire, { parts });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (end) => {
        const { ask, server } = await askedOf(wire, (_seen, response) => {
          response.writeHead(200, { "content-type": wire.contentType ?? "text/event-stream" });
          response.end(whole.subarray(0, end));
        });
        const ended = await ask().then(
          (attempted) => (attempted as unknown as { readonly reply: Reply }).reply.text,
          (error: { readonly code: string }) => error.code,
        );
        expect([parts.join(""), "connection-cut", "bad-reply"]).toContain(ended);
        await server.close();
      }),
      { numRuns: 60 },
    );
  });

  it("does not take an answer that just stops for a reply", async () => {
    const { ask } = await askedOf(wire, (_seen, response) => {
      wire.begin(response, "Hydrate Gr");
      response.end();
    });
    expect(await failureOf(ask())).toMatchObject({ code: "connection-cut", retryable: true });
  });

  it("says that a connection was cut before anything came", async () => {
    const { ask } = await askedOf(wire, (_seen, response) => void response.destroy());
    expect(await failureOf(ask())).toMatchObject({ code: "connection-cut", retryable: true });
  });

  it.each([
    ["an HTML page", "text/html", "<!doctype html><html><body>Welcome</body></html>\n"],
    ["garbage", "application/octet-stream", "\u0000\u0007nonsense {{{\n\n"],
    ["garbage as events", "text/event-stream", "data: {nonsense\n\n"],
    ["nothing", "application/json", ""],
    ["another JSON", "application/json", '{"hello":"world"}\n'],
  ])("does not take %s with status 200 for a reply", async (_what, type, body) => {
    const warned = vi.spyOn(console, "warn");
    const { ask } = await askedOf(wire, (_seen, response) => sendText(response, 200, type, body));
    expect(await failureOf(ask())).toMatchObject(notAnAnswer(wire, "bad-reply"));
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("says that garbage in the middle of an answer broke it off", async () => {
    const { ask } = await askedOf(wire, (_seen, response) => {
      wire.begin(response, "Hydrate ");
      response.end("data: {nonsense\n\n");
    });
    expect(await failureOf(ask())).toMatchObject(notAnAnswer(wire, "connection-cut"));
  });

  it("stops at once on abort, before headers and in the middle of the answer", async () => {
    for (const hang of [
      (_response: ServerResponse) => undefined,
      (response: ServerResponse) => wire.begin(response, "Hydrate "),
    ]) {
      const stop = new AbortController();
      const reason = new Error("The user pressed Ctrl-C.");
      const closed = withResolvers();
      const { runner } = await askedOf(wire, (_seen, response) => {
        response.once("close", closed.resolve);
        hang(response);
        setImmediate(() => stop.abort(reason));
      });
      const thrown = await failureOf(runner.attempt(requestFor(wire.model), stop.signal));
      expect(thrown).toBe(reason);
      await closed.promise;
    }
  });

  it("sends nothing if already aborted", async () => {
    const { runner, server } = await askedOf(wire, () => undefined);
    const thrown = await failureOf(
      runner.attempt(requestFor(wire.model), AbortSignal.abort("late")),
    );
    expect(thrown).toBe("late");
    expect(server.seen).toHaveLength(0);
  });

  it("does not follow a redirect, which would carry the key to another host", async () => {
    const elsewhere = await openLoopback((_seen, response) =>
      wire.send(response, { parts: ["Hi"] }),
    );
    const { ask } = await askedOf(wire, (_seen, response) => {
      response.writeHead(307, { location: `${elsewhere.url}${wire.askPath}` });
      response.end();
    });
    expect(await failureOf(ask())).toMatchObject({ code: "bad-request", retryable: false });
    expect(elsewhere.seen).toHaveLength(0);
  });

  it("shows keys in no error, however the server repeats them", async () => {
    const chatty = `Bearer ${secretKey}`;
    const answers: readonly Answering[] = [
      (_seen, response) => sendJson(response, 401, wire.error(`Wrong key: ${chatty}`)),
      (_seen, response) => sendJson(response, 400, wire.error(`Bad: ${chatty}`), { echo: chatty }),
      (_seen, response) => sendText(response, 500, "text/plain", chatty),
      (_seen, response) => sendText(response, 200, "text/plain", `${chatty}\n`),
      (_seen, response) => void response.destroy(),
    ];
    for (const answer of answers) {
      const { ask } = await askedOf(wire, answer);
      const error = await failureOf(ask());
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secretKey);
    }
  });
});

/** In binary frames, garbage and an early end cannot always be distinguished. */
function notAnAnswer({ contentType }: Wire, code: "bad-reply" | "connection-cut") {
  return contentType === undefined
    ? { code, retryable: code === "connection-cut" }
    : { code: expect.stringMatching(/^(?:bad-reply|connection-cut)$/u) };
}

const listing = allWires.filter(({ listPath }) => listPath !== undefined);

describe.each(listing)("a runner of $title, whose server lists its models", (wire) => {
  it("lists what is installed when the model is not", async () => {
    const server = await openLoopback((seen, response) =>
      seen.path === wire.listPath
        ? sendJson(response, 200, wire.list(["bottle:1b", "cup:7b"]))
        : sendJson(response, 404, wire.error("model not found", "not_found_error")),
    );
    const error = await failureOf(wire.open(server.url).attempt(requestFor(wire.model), open));
    expect(error).toBeInstanceOf(ModelNotFoundError);
    expect(error).toMatchObject({ code: "model-not-found", retryable: false });
    expect(error.message).toContain("bottle:1b");
    expect(error.message).toContain(wire.model);
  });

  it("names its models so that they can be asked for", async () => {
    const server = await openLoopback((seen, response) => {
      expect(seen.path).toBe(wire.listPath);
      sendJson(response, 200, wire.list(["bottle:1b", "cup:7b"]));
    });
    const prefix = prefixOf(wire);
    expect(await wire.open(server.url).models?.(open)).toEqual([
      `${prefix}/bottle:1b`,
      `${prefix}/cup:7b`,
    ]);
  });
});

/** What is in front of a model's own id. */
function prefixOf({ model }: Wire): string {
  return model.split("/", model.startsWith("compatible/") ? 2 : 1).join("/");
}

/** All bytes of an answer on this wire. */
function bytesOf(wire: Wire, reply: WireReply): Buffer {
  const parts: Buffer[] = [];
  const collect = (part: string | Buffer) => parts.push(Buffer.from(part));
  const response = { writeHead: () => undefined, write: collect, end: collect };
  wire.send(response as unknown as ServerResponse, reply);
  return Buffer.concat(parts);
}

function withResolvers() {
  let resolve: (value?: unknown) => void = () => undefined;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
