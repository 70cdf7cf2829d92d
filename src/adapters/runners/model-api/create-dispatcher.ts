import type { Dispatcher } from "undici";

/** Values of `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`; the environment itself is read by the configuration. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

const thisMachine = "localhost,127.0.0.1,[::1]";

/**
 * The way to the providers. What runs on this machine is never asked through a proxy. Time limits are the
 * scheduler's alone. `NODE_EXTRA_CA_CERTS` is honoured by Node itself as long as nobody sets `ca` here.
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
