import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface LoopbackProxy {
  readonly url: string;
  /** What was asked for, as `CONNECT host:port` or `POST http://…`. */
  readonly asked: readonly string[];
}

/** A proxy that maps every host name to one port of this machine, so that tests can use names that do not exist. */
export async function openLoopbackProxy(port: number): Promise<LoopbackProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname, host } = new URL(request.url ?? "");
    const onward = connect(port, "127.0.0.1", () => {
      onward.write(
        `${request.method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`,
      );
      onward.write(`content-length: ${request.headers["content-length"] ?? 0}\r\n\r\n`);
      request.pipe(onward, { end: false });
    });
    sockets.add(onward);
    onward.pipe(response.socket as Socket);
  });
  server.on("connect", (request, client: Socket, head: Buffer) => {
    asked.push(`CONNECT ${request.url}`);
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
