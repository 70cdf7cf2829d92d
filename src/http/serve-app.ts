import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { ConfigurationError, WorkflowError } from "../domain/values/workflow-error.ts";

export interface Listening {
  readonly port: number;
  /** Takes no more requests and closes open event streams. */
  close(): Promise<void>;
}

export interface ListenAt {
  readonly address: string;
  readonly port: number;
}

/** Opens the port first, because access to the server depends on it. */
export async function serveApp(
  at: ListenAt,
  appFor: (port: number) => { fetch(request: Request): Response | Promise<Response> },
): Promise<Listening> {
  let answer: ((request: Request) => Response | Promise<Response>) | undefined;
  const listener = getRequestListener(
    async (request, { outgoing }) => {
      const response = (await answer?.(request)) ?? new Response(null, { status: 503 });
      return isEventStream(response) ? sendStream(response, outgoing as ServerResponse) : response;
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000 },
    (incoming, outgoing) => {
      void listener(incoming, outgoing);
    },
  );
  await listen(server, at);
  const { port } = server.address() as AddressInfo;
  const app = appFor(port);
  answer = (request) => app.fetch(request);
  return { port, close: () => close(server) };
}

const isEventStream = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/** The library keeps a promise for each part that it sends until the stream ends, and these may stay open for days. */
function sendStream({ body, status, headers }: Response, outgoing: ServerResponse): Response {
  outgoing.writeHead(status, Object.fromEntries(headers));
  outgoing.flushHeaders();
  if (body === null) outgoing.end();
  else pipeline(Readable.fromWeb(body), outgoing, () => undefined);
  return RESPONSE_ALREADY_SENT;
}

function listen(server: Server, { address, port }: ListenAt): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refusal(error, port)));
    server.listen(port, address, resolve);
  });
}

function refusal(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new ConfigurationError(`Port ${port} is in use, perhaps by another studio.`, {
      code: "port-in-use",
      facts: { port },
      hint: `Use the studio that runs there, or another port: signoff studio --port ${port + 1}.`,
      cause: error,
    });
  }
  return new WorkflowError(
    `The studio cannot listen on port ${port}: ${error.code ?? "refused"}.`,
    {
      code: "port-refused",
      facts: { port },
      hint: "Choose another with --port.",
      cause: error,
    },
  );
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
