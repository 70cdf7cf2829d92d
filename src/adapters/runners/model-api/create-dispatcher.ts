import type { Dispatcher } from "undici";

/** Values of `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`; the environment itself is read by the configuration. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

const thisMachine = "localhost,127.0.0.1,[::1]";

const opened = new Map<string, Promise<Dispatcher>>();

/** One set of connections for all runs of this process. */
export function sharedDispatcher(settings: ProxySettings): Promise<Dispatcher> {
  const { httpProxy, httpsProxy, noProxy } = settings;
  const name = JSON.stringify([httpProxy, httpsProxy, noProxy]);
  const known = opened.get(name) ?? createDispatcher(settings);
  opened.set(name, known);
  return known;
}

/**
 * Connections to the providers. Servers on this machine are never reached through a proxy. Only the scheduler sets
 * timeouts. Node itself honours `NODE_EXTRA_CA_CERTS` as long as `ca` is not set here.
 */
export async function createDispatcher(settings: ProxySettings): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import("undici");
  const { httpProxy = "", httpsProxy = "", noProxy = "" } = settings;
  return new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy: noProxy.trim() === "*" ? "*" : `${noProxy},${thisMachine}`,
    proxyTunnel: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
