import type { Trust } from "../../domain/settings/require-trusted.ts";
import { describeTrustPart } from "../../domain/settings/trust-parts.ts";
import { defined } from "../../domain/values/defined.ts";
import { agentsHere } from "../../wiring/features/episode-agents.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { saveTrust } from "../../wiring/settings/trust.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { canAsk, confirmed } from "../shell/confirm.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printErr, printJson, printOut, rootOf } from "../shell/print.ts";
import { accent, caution, good } from "../shell/styles.ts";

export interface TrustFlags extends JsonFlags {
  readonly yes?: boolean;
  readonly manifest?: string;
}

/** Something that needs the user's trust. */
export interface TrustRequest {
  readonly heading: string;
  readonly parts: readonly string[];
  readonly trust: Trust;
  /** Stores the user's trust. Returns the path of the file. */
  save(): Promise<string>;
}

export async function trustProject(cli: CliContext, flags: TrustFlags): Promise<void> {
  const requests = await requestsHere(cli, flags.json === true);
  const isTrusted = await settleTrust(cli, flags, requests);
  if (flags.json !== true) return;
  const [project, episode] = requests.map(({ trust, parts }) => ({
    trusted: trust.isTrusted || isTrusted,
    digest: trust.digest,
    parts,
  }));
  printJson(cli, { ...project, ...defined({ episode }) });
}

/** Shows what needs trust, asks the user, and stores the answer. Returns whether everything is trusted now. */
export async function settleTrust(
  cli: CliContext,
  flags: TrustFlags,
  requests: readonly TrustRequest[],
): Promise<boolean> {
  const isJson = flags.json === true;
  for (const { heading, parts } of isJson ? [] : requests) {
    printOut(cli, [heading, ...parts.map((part) => accent(`  ${part}`))]);
  }
  const open = requests.filter(({ trust }) => !trust.isTrusted);
  const isGiven = open.length > 0 && (await isYes(cli, flags));
  let file: string | undefined;
  for (const request of isGiven ? open : []) file = await request.save();
  const isTrusted = open.length === 0 || isGiven;
  cli.end(isTrusted ? exitCode.accepted : exitCode.waiting);
  if (file !== undefined && !isJson) printOut(cli, [good(`Trusted; stored in ${file}.`)]);
  if (isTrusted || isJson) return isTrusted;
  const digests = open.map(({ trust }) => trust.digest).join(",");
  const text = `Not trusted. Trust it with --yes, or in CI with SIGNOFF_TRUST=${digests}.`;
  printErr(cli, [caution(text)]);
  return false;
}

/** The project, and the episode workspace around the working directory, if there is one. */
async function requestsHere(cli: CliContext, quiet: boolean): Promise<readonly TrustRequest[]> {
  const root = rootOf(cli);
  const { settings, redactor } = await settingsFor(cli, { root, quiet });
  const { environment } = cli;
  const requestFor = (what: string, place: string, trust: Trust): TrustRequest => {
    const none = `${what} run no program and send no key.`;
    const heading = trust.isTrusted ? `${what}, which you trust:` : `${what} would use:`;
    const { userFolder } = environment;
    return {
      heading: trust.parts.length === 0 ? none : heading,
      parts: trust.parts.map((part) => redactor.text(describeTrustPart(part))),
      trust,
      save: () => saveTrust({ userFolder, root: place }, trust, clockOf(environment).now()),
    };
  };
  const project = requestFor("This project's settings", root, settings.trust);
  const given = { environment, cwd: cli.cwd, trust: cli.globals().trust === true };
  const episode = await agentsHere(given);
  if (episode === undefined) return [project];
  return [project, requestFor("This episode's agents", episode.place, episode.trust)];
}

async function isYes(cli: CliContext, flags: TrustFlags): Promise<boolean> {
  if (flags.yes === true) return true;
  if (flags.json === true || !canAsk(cli)) return false;
  return confirmed("Trust this?");
}
