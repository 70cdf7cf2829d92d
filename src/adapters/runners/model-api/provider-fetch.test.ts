import { describe, expect, it } from "vitest";
import { openLoopback } from "../../../../tests/support/loopback-server.ts";
import { failureOf, openAiWire, requestFor } from "../../../../tests/support/provider-wires.ts";

describe("openProviderFetch", () => {
  it("stops a server that never stops, before the memory is full", async () => {
    const server = await openLoopback((_seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const megabyte = Buffer.alloc(1 << 20, "x");
      const send = () => {
        while (!response.destroyed && response.write(megabyte));
      };
      response.on("drain", send);
      send();
    });
    const open = new AbortController().signal;
    const attempt = openAiWire.open(server.url).attempt(requestFor(openAiWire.model), open);
    expect(await failureOf(attempt)).toMatchObject({ code: "bad-reply", retryable: false });
  });
});
