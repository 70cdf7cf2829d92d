import { createServer } from "node:http";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";

export interface HealthParts {
  readonly port: number;
  /** Why the worker should get no attention as a healthy one; undefined if it is. */
  readonly problem: () => string | undefined;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

/** `/livez`: the process answers. `/healthz`: it also takes runs. `/metrics`: in Prometheus format. */
export async function serveHealth(parts: HealthParts): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    void answer(request.url ?? "/", parts).then(({ status, type, text }) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
      response.end(text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(refusedPort(parts.port, cause)));
    server.listen(parts.port, resolve);
  });
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refusedPort(port: number, cause: NodeJS.ErrnoException): Error {
  const why = cause.code === "EADDRINUSE" ? "is in use, perhaps by another worker" : "is refused";
  return new ConfigurationError(`Port ${port} ${why}.`, {
    code: "port-in-use",
    facts: { port },
    hint: "Choose another with --health-port.",
    cause,
  });
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function answer(path: string, { problem, metrics }: HealthParts): Promise<Answer> {
  const plain = (status: number, text: string) => ({
    status,
    type: "text/plain",
    text: `${text}\n`,
  });
  switch (path.split("?")[0]) {
    case "/livez":
      return plain(200, "alive");
    case "/healthz": {
      const found = problem();
      return found === undefined ? plain(200, "ready") : plain(503, found);
    }
    case "/metrics":
      return { status: 200, type: metrics.contentType, text: await metrics.text() };
    default:
      return plain(404, "not found; there are /livez, /healthz and /metrics");
  }
}
