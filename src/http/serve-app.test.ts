import http, { type IncomingMessage } from "node:http";
import { queryObjects } from "node:v8";
import { expect, it, onTestFinished } from "vitest";
import { openEventStream } from "./open-event-stream.ts";
import { serveApp } from "./serve-app.ts";

it("keeps nothing of what an open event stream has sent, and ends its work with the connection", async () => {
  let send = (_at: number): void => undefined;
  let isOver = false;
  const { port, close } = await serveApp({ address: "127.0.0.1", port: 0 }, () => ({
    fetch: (request) =>
      openEventStream(request.signal, async (stream) => {
        send = (at) => stream.send("run", { at });
        await new Promise((resolve) => stream.signal.addEventListener("abort", resolve));
        isOver = true;
      }),
  }));
  onTestFinished(close);
  const response = await new Promise<IncomingMessage>((resolve) => {
    http.get({ host: "127.0.0.1", port, headers: { connection: "close" } }, resolve);
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  let received = "";
  response.on("data", (part: Buffer) => {
    received += part.toString();
  });
  const carry = async (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      send(at);
      while (!received.endsWith(`{"at":${at}}\n\n`)) await new Promise(setImmediate);
    }
    return queryObjects(Promise, { format: "count" });
  };
  const before = await carry(0, 100);
  const after = await carry(100, 1_100);
  expect(after - before).toBeLessThan(100);
  response.destroy();
  await expect.poll(() => isOver).toBe(true);
});
