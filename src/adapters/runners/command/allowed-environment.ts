export type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to find itself, its language, its home and its way out; nothing that is a secret of ours. */
const harmless =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|XDG_\w+_(?:HOME|DIR)|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/u;

/** An agent gets what its settings name and what is harmless, never the whole environment. */
export function allowedEnvironment(
  environment: Environment,
  passes: readonly string[],
): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (harmless.test(name) || passes.includes(name)))
      allowed[name] = value;
  }
  return allowed;
}
