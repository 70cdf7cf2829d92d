import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** A request as the assistant got it. */
export interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** An assistant that speaks as its test wants: over HTTP, or over WebSockets at the same address. */
export interface ChattyServer {
  readonly url: string;
  readonly port: number;
  readonly got: readonly Got[];
  close(): Promise<void>;
}

export async function openChatty(
  answer: (got: Got, response: ServerResponse) => void,
  {
    port = 0,
    onSocket,
  }: { readonly port?: number; readonly onSocket?: (text: string) => readonly string[] } = {},
): Promise<ChattyServer> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += String(part);
    const { method = "", url = "", headers } = request;
    const each = { method, path: url, headers, text };
    got.push(each);
    answer(each, response);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, { headers, url = "" }) => {
    socket.on("message", (data) => {
      const text = String(data);
      got.push({ method: "WS", path: url, headers, text });
      for (const said of onSocket?.(text) ?? []) socket.send(said);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}`,
    port: at,
    got,
    async close() {
      sockets.close();
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
}

/** The shop's two answers; the second one only if the conversation so far names the desk. */
export function shopAnswer(question: string, before: string): string {
  if (/how many/iu.test(question)) return "5 Oak desk in stock.";
  return /oak desk/iu.test(before) ? "Nordholz supplied them." : "Whom do you mean?";
}

/** A question, and one that makes sense only after it. */
export const chainPack = `pack_id: chain
domain: shop
scenarios:
  - scenario_id: desk
    domain: shop
    steps:
      - { step_id: stock, question: "How many Oak desk are in stock?", required_answer_patterns_all: ["5"] }
      - { step_id: supplier, question: "Who supplied them?", depends_on: [stock], required_answer_patterns_all: [Nordholz] }
`;
