export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Paths, locale, home, proxies and certificates; no secrets. */
const harmless =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|XDG_\w+_(?:HOME|DIR)|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/u;

/** An agent gets the harmless variables and those named in its settings, never the whole environment. */
export function allowedEnvironment(
  environment: EnvironmentVariables,
  passes: readonly string[],
): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (harmless.test(name) || passes.includes(name)))
      allowed[name] = value;
  }
  return allowed;
}
