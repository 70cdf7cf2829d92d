// A worker: carries events over an open stream and reports how many promises a thousand of them leave behind.
import http, { type IncomingMessage } from "node:http";
import { queryObjects } from "node:v8";
import { parentPort } from "node:worker_threads";
import { openEventStream } from "../../src/http/open-event-stream.ts";
import { serveApp } from "../../src/http/serve-app.ts";

let send = (_at: number): void => undefined;
let end = (): void => undefined;
const isOver = new Promise<boolean>((resolve) => {
  end = () => resolve(true);
});
const { port, close } = await serveApp({ address: "127.0.0.1", port: 0 }, () => ({
  fetch: (request) =>
    openEventStream(request.signal, async (stream) => {
      send = (at) => stream.send("run", { at });
      await new Promise((resolve) => stream.signal.addEventListener("abort", resolve));
      end();
    }),
}));
const response = await new Promise<IncomingMessage>((resolve) => {
  http.get({ host: "127.0.0.1", port, headers: { connection: "close" } }, resolve);
});
let received = "";
response.on("data", (part: Buffer) => {
  received += part.toString();
});

async function carry(from: number, to: number): Promise<number> {
  for (let at = from; at < to; at += 1) {
    send(at);
    while (!received.endsWith(`{"at":${at}}\n\n`)) await new Promise(setImmediate);
  }
  return queryObjects(Promise, { format: "count" });
}

const before = await carry(0, 100);
const kept = (await carry(100, 1_100)) - before;
response.destroy();
const { statusCode: status, headers } = response;
parentPort?.postMessage({ status, type: headers["content-type"], kept, isOver: await isOver });
await close();
