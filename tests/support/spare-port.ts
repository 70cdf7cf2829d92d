import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * An unused port, for servers that are down or come back. It is below the range of ephemeral ports, so that no other
 * server or client of this machine gets it meanwhile.
 */
export async function sparePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
