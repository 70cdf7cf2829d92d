import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ModuleKind, transpileModule } from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { openLoopbackProxy } from "../../../../tests/support/loopback-proxy.ts";
import { openLoopback } from "../../../../tests/support/loopback-server.ts";
import { ownCertificate } from "../../../../tests/support/own-certificate.ts";
import {
  clock,
  failureOf,
  guard,
  openAiWire,
  openHosted,
  requestFor,
} from "../../../../tests/support/provider-wires.ts";
import { sparePort } from "../../../../tests/support/spare-port.ts";
import { createCompatibleRunner } from "./compatible-runner.ts";
import { createDispatcher } from "./create-dispatcher.ts";

const open = new AbortController().signal;
const host = "api.shop.test";

async function openTls(): Promise<{ readonly port: number; readonly certificate: string }> {
  const own = ownCertificate(host);
  const server = createServer({ key: own.key, cert: own.certificate }, (request, response) => {
    request.resume();
    openAiWire.send(response, { parts: ["Hydrate Green"] });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { port: (server.address() as AddressInfo).port, certificate: own.certificate };
}

describe("createDispatcher", () => {
  it("asks plain HTTP servers through the proxy, and those that NO_PROXY names directly", async () => {
    const server = await openLoopback((_seen, response) =>
      openAiWire.send(response, { parts: ["Hydrate Green"] }),
    );
    const proxy = await openLoopbackProxy(server.port);
    const proxied = (noProxy: string) => createDispatcher({ httpProxy: proxy.url, noProxy });
    const at = { clock, name: "lab", baseUrl: "http://lab.shop.test/v1" };
    const request = requestFor("compatible/lab/bottle-7b");
    const through = createCompatibleRunner({
      guard,
      ...at,
      dispatcher: await proxied("other.test"),
    });
    expect(await through.attempt(request, open)).toMatchObject({
      reply: { text: "Hydrate Green" },
    });
    expect(proxy.asked).toEqual(["POST http://lab.shop.test/v1/chat/completions"]);
    const direct = createCompatibleRunner({
      guard,
      ...at,
      dispatcher: await proxied(".shop.test"),
    });
    expect(await failureOf(direct.attempt(request, open))).toMatchObject({ code: "unreachable" });
    expect(proxy.asked).toHaveLength(1);
  });

  it("never asks this machine through a proxy", async () => {
    const server = await openLoopback((_seen, response) =>
      openAiWire.send(response, { parts: ["Hydrate Green"] }),
    );
    const proxy = await openLoopbackProxy(server.port);
    const dispatcher = await createDispatcher({ httpProxy: proxy.url, httpsProxy: proxy.url });
    for (const name of ["127.0.0.1", "localhost"]) {
      const baseUrl = `http://${name}:${server.port}/v1`;
      const runner = createCompatibleRunner({ guard, clock, dispatcher, name: "lab", baseUrl });
      await runner.attempt(requestFor("compatible/lab/bottle-7b"), open);
    }
    expect(proxy.asked).toEqual([]);
  });

  it("says that a proxy is down", async () => {
    const gone = `http://127.0.0.1:${await sparePort()}`;
    const dispatcher = await createDispatcher({ httpsProxy: gone });
    const baseUrl = `https://${host}/v1`;
    const runner = openHosted("openai", baseUrl, { dispatcher });
    const error = await failureOf(runner.attempt(requestFor(openAiWire.model), open));
    expect(error).toMatchObject({
      code: "unreachable",
      retryable: true,
      hint: expect.stringContaining("HTTPS_PROXY"),
    });
  });

  it("rejects an untrusted certificate behind the proxy and names the setting", async () => {
    const { port } = await openTls();
    const proxy = await openLoopbackProxy(port);
    const dispatcher = await createDispatcher({ httpsProxy: proxy.url });
    const baseUrl = `https://${host}/v1`;
    const runner = openHosted("openai", baseUrl, { dispatcher });
    const error = await failureOf(runner.attempt(requestFor(openAiWire.model), open));
    expect(error).toMatchObject({
      code: "unreachable",
      retryable: false,
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    expect(proxy.asked).toEqual([`CONNECT ${host}:443`]);
  });

  it("trusts NODE_EXTRA_CA_CERTS behind the proxy", async () => {
    const { port, certificate } = await openTls();
    const proxy = await openLoopbackProxy(port);
    const folder = await mkdtemp(join(tmpdir(), "signoff-certificate-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "shop.pem");
    await writeFile(file, certificate);
    // Node reads the variable when it starts, so the module under test runs in a process of its own.
    const source = await readFile(new URL("./create-dispatcher.ts", import.meta.url), "utf8");
    const compiled = transpileModule(source, { compilerOptions: { module: ModuleKind.ESNext } });
    const program = `${compiled.outputText}
      const { fetch } = await import("undici");
      const dispatcher = await createDispatcher({ httpsProxy: ${JSON.stringify(proxy.url)} });
      const response = await fetch("https://${host}/v1", { dispatcher, method: "POST" });
      process.stdout.write(await response.text());
      await dispatcher.destroy();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { env: { NODE_EXTRA_CA_CERTS: file } },
    );
    expect(stdout).toContain("Hydrate Green");
    expect(proxy.asked).toEqual([`CONNECT ${host}:443`]);
  });
});
