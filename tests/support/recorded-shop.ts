import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { ownConnection } from "./own-connection.ts";

export interface RecordedShop {
  readonly url: string;
  /** Messages that reached the assistant, in order. */
  readonly questions: readonly string[];
  /** Takes the assistant back to what the folder's record says it was asked. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** The shop's assistant, with a record in a folder of what it was asked: a copy of the folder is a state of both. */
export async function openRecordedShop(
  folder: string,
  how: Parameters<typeof startDemoAssistant>[0] = {},
): Promise<RecordedShop> {
  const record = join(folder, "asked.log");
  let shop = await startDemoAssistant(how);
  const ask = (path: string, body?: string) =>
    fetch(shop.url + path, {
      headers: ownConnection,
      ...(body === undefined ? {} : { method: "POST", body }),
    });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const isMessage = request.method === "POST";
    const body = isMessage ? await text(request) : undefined;
    const answer = await ask(request.url ?? "/", body);
    const reply = await answer.text();
    if (body !== undefined) appendFileSync(record, `${body}\n`);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(reply);
  };
  // One after the other, so that the record has the order in which the sessions got their names.
  let turn = Promise.resolve();
  const server = createServer((request, response) => {
    turn = turn.then(() => serve(request, response)).catch(() => void response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get questions() {
      return shop.questions;
    },
    async restore() {
      await shop.close();
      shop = await startDemoAssistant(how);
      const asked = existsSync(record) ? readFileSync(record, "utf8").trimEnd() : "";
      for (const body of asked.split("\n").filter(Boolean)) {
        await (await ask("/api/assistant/message", body)).text();
      }
    },
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
      await shop.close();
    },
  };
}
