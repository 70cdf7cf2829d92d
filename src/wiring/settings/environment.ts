import { isAbsolute, join } from "node:path";
import type { HostedProvider } from "../../domain/models/hosted-providers.ts";
import { type CrashPoint, crashPoints } from "../../domain/values/crash-points.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/** The n-th time that a crash point is reached, from 1. */
export interface Moment {
  readonly point: CrashPoint;
  readonly time: number;
}

/** What Signoff takes from the environment. Nothing else in the program reads it. */
export interface Environment {
  readonly home: string | undefined;
  readonly user: string | undefined;
  readonly noColor: string | undefined;
  readonly forceColor: string | undefined;
  readonly term: string | undefined;
  /** A CI system that acts on lines of the log. */
  readonly commandReader: "github" | "other" | undefined;
  /** `OLLAMA_…` and `SIGNOFF_…`, as they were given. */
  readonly variables: { readonly [name: string]: string };
  /** Where the user's own files of Signoff are; `undefined` when there is no home. */
  readonly userFolder: string | undefined;
  /** Digest of project settings that may be used without having been trusted on this machine. */
  readonly trustedDigest: string | undefined;
  readonly proxy: ProxyVariables;
  /** The database that keeps the record of all projects; without it each project has a file of its own. */
  readonly databaseUrl: string | undefined;
  /** A key or token by the name of its variable. Read only for names that the user's trust covers. */
  readonly secret: (name: string) => string | undefined;
  /** Addresses of the big providers, from the user's own environment alone. */
  readonly providerUrls: { readonly [Name in HostedProvider]?: string };
  /** Every variable, for programs that are run as models; they see the harmless ones and those they need. */
  readonly everything: () => { readonly [name: string]: string };
  /** Crash suite: kill the process when the point is reached for the n-th time. */
  readonly stopAt: Moment | undefined;
  /** Crash suite: hold the process there until another process opens and closes `pausePipe` for writing. */
  readonly pauseAt: Moment | undefined;
  readonly pausePipe: string | undefined;
  /** Crash suite: a file that gets one line for each point reached. */
  readonly crashLog: string | undefined;
  /** Crash suite: the clock always shows this time, so that two runs write the same bytes. */
  readonly fixedTime: string | undefined;
}

export interface ProxyVariables {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** A copy: what the process changes in its environment later does not change an invocation's settings. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const own = new Map(Object.entries(defined(env) as { readonly [name: string]: string }));
  return {
    home: env.HOME,
    user: nonEmpty(env.SIGNOFF_USER),
    noColor: nonEmpty(env.NO_COLOR),
    forceColor: nonEmpty(env.FORCE_COLOR),
    term: nonEmpty(env.TERM),
    commandReader: commandReader(env),
    variables: settingVariables(env),
    userFolder: userFolder(env),
    trustedDigest: nonEmpty(env.SIGNOFF_TRUST),
    proxy: proxyVariables(env),
    databaseUrl: nonEmpty(env.SIGNOFF_DATABASE_URL),
    secret: (name) => nonEmpty(own.get(name)?.trim()),
    providerUrls: providerUrls(env),
    everything: () => Object.fromEntries(own),
    stopAt: readMoment("SIGNOFF_STOP_AT", env),
    pauseAt: readMoment("SIGNOFF_PAUSE_AT", env),
    pausePipe: nonEmpty(env.SIGNOFF_PAUSE_PIPE),
    crashLog: nonEmpty(env.SIGNOFF_CRASH_LOG),
    fixedTime: nonEmpty(env.SIGNOFF_FIXED_TIME),
  };
}

/** GitHub Actions has a command to stop reading commands; Azure Pipelines and TeamCity have none. */
function commandReader(env: NodeJS.ProcessEnv): Environment["commandReader"] {
  if (nonEmpty(env.GITHUB_ACTIONS) !== undefined) return "github";
  return (nonEmpty(env.TF_BUILD) ?? nonEmpty(env.TEAMCITY_VERSION)) ? "other" : undefined;
}

function settingVariables(env: NodeJS.ProcessEnv): { readonly [name: string]: string } {
  const named = Object.entries(env).filter(([name]) => /^(?:OLLAMA|SIGNOFF)_/u.test(name));
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** A relative XDG_CONFIG_HOME is invalid by its own rules and would lie inside the project. */
function userFolder(env: NodeJS.ProcessEnv): string | undefined {
  const given = nonEmpty(env.XDG_CONFIG_HOME);
  if (given !== undefined && isAbsolute(given)) return join(given, "signoff");
  const home = nonEmpty(env.HOME);
  return home === undefined || !isAbsolute(home) ? undefined : join(home, ".config", "signoff");
}

/** Lower case first, as in curl and most programs. */
function proxyVariables(env: NodeJS.ProcessEnv): ProxyVariables {
  const httpProxy = nonEmpty(env.http_proxy) ?? nonEmpty(env.HTTP_PROXY);
  const httpsProxy = nonEmpty(env.https_proxy) ?? nonEmpty(env.HTTPS_PROXY);
  const noProxy = nonEmpty(env.no_proxy) ?? nonEmpty(env.NO_PROXY);
  return defined({ httpProxy, httpsProxy, noProxy });
}

/** The vendors' own programs disagree about a trailing `/v1`; both spellings are accepted. */
function providerUrls(env: NodeJS.ProcessEnv): Environment["providerUrls"] {
  const openai = versioned(nonEmpty(env.OPENAI_BASE_URL));
  const anthropic = versioned(nonEmpty(env.ANTHROPIC_BASE_URL));
  return defined({ openai, anthropic });
}

function versioned(url: string | undefined): string | undefined {
  return url?.replace(/^(https?:\/\/[^/]+)\/*$/u, "$1/v1");
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}

function readMoment(variable: string, env: NodeJS.ProcessEnv): Moment | undefined {
  const text = nonEmpty(env[variable]);
  if (text === undefined) return undefined;
  const [name, time = "1"] = text.split(":");
  const point = crashPoints.find((known) => known === name);
  if (point === undefined || !/^[1-9]\d*$/.test(time)) {
    throw new ConfigurationError(`${variable}=${text} names no crash point.`, {
      code: "environment-invalid",
      facts: { variable },
      hint: `Known points: ${crashPoints.join(", ")}.`,
    });
  }
  return { point, time: Number(time) };
}
