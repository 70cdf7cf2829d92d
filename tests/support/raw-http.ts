import { once } from "node:events";
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends exactly these bytes and returns the response until the server closes; nothing is corrected on the way. */
export async function sendRaw(
  port: number,
  lines: readonly string[],
  body = "",
): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", () => undefined);
  socket.write(`${lines.join("\r\n")}\r\nconnection: close\r\n\r\n${body}`);
  await once(socket, "close");
  const text = Buffer.concat(parts).toString("utf8");
  return { status: Number(/^HTTP\/1\.1 (\d+)/u.exec(text)?.[1] ?? "0"), text };
}
