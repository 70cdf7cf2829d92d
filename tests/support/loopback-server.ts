import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON, or `undefined`. */
  readonly json: unknown;
}

export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

export type Answering = (seen: Seen, response: ServerResponse) => void;

/** A real HTTP server on this machine for the length of one test; connections that hang are cut at its end. */
export async function openLoopback(
  answer: Answering,
  { port: wanted = 0 }: { readonly port?: number } = {},
): Promise<LoopbackServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const { method = "", url = "", headers } = request;
    const each = {
      method,
      path: url,
      headers,
      text,
      json: text === "" ? undefined : JSON.parse(text),
    };
    seen.push(each);
    answer(each, response);
  });
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((closed) => server.close(closed));
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, port, seen, close };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}
