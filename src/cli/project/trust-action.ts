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
import { printErr, printJson, printOut, rootOf } from "../shell/print.ts";
import { accent, caution, good } from "../shell/styles.ts";

export interface TrustFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly manifest?: string;
}

/** Something that needs trust, and the place it is trusted for. */
interface Asking {
  readonly what: string;
  readonly place: string;
  readonly trust: Trust;
  readonly parts: readonly string[];
}

export async function trustProject(cli: CliContext, flags: TrustFlags): Promise<void> {
  const isJson = flags.json === true;
  const asking = await askingHere(cli, isJson);
  if (!isJson) for (const one of asking) showParts(cli, one);
  const open = asking.filter(({ trust }) => !trust.isTrusted);
  const isGiven = open.length > 0 && (await isYes(cli, flags));
  const { userFolder } = cli.environment;
  const at = clockOf(cli.environment).now();
  let file: string | undefined;
  for (const { place, trust } of isGiven ? open : []) {
    file = await saveTrust({ userFolder, root: place }, trust, at);
  }
  const isTrusted = open.length === 0 || isGiven;
  cli.end(isTrusted ? exitCode.accepted : exitCode.waiting);
  if (isJson) {
    const shown = asking.map(({ trust, parts }) => ({
      trusted: trust.isTrusted || isGiven,
      digest: trust.digest,
      parts,
    }));
    const [project, episode] = shown;
    return printJson(cli, { ...project, ...defined({ episode }) });
  }
  if (file !== undefined) printOut(cli, [good(`Trusted; stored in ${file}.`)]);
  if (isTrusted) return;
  const digests = open.map(({ trust }) => trust.digest).join(",");
  const text = `Not trusted. Trust with \`signoff trust --yes\`, or in CI with SIGNOFF_TRUST=${digests}.`;
  printErr(cli, [caution(text)]);
}

/** The project, and the episode whose workspace this is. */
async function askingHere(cli: CliContext, quiet: boolean): Promise<readonly Asking[]> {
  const root = rootOf(cli);
  const { settings, redactor } = await settingsFor(cli, { root, quiet });
  const describe = (trust: Trust) =>
    trust.parts.map((part) => redactor.text(describeTrustPart(part)));
  const { trust } = settings;
  const project = { what: "This project's settings", place: root, trust, parts: describe(trust) };
  const { environment } = cli;
  const given = { environment, cwd: cli.cwd, trust: cli.globals().trust === true };
  const episode = await agentsHere(given);
  if (episode === undefined) return [project];
  const { place, trust: own } = episode;
  return [project, { what: "This episode's agents", place, trust: own, parts: describe(own) }];
}

function showParts(cli: CliContext, { what, parts, trust }: Asking): void {
  if (parts.length === 0) {
    printOut(cli, `${what} run no program and send no key.`);
    return;
  }
  const head = trust.isTrusted ? `${what}, which you trust:` : `${what} would use:`;
  printOut(cli, head);
  for (const part of parts) printOut(cli, [accent(`  ${part}`)]);
}

export async function isYes(cli: CliContext, flags: TrustFlags): Promise<boolean> {
  if (flags.yes === true) return true;
  if (flags.json === true || !canAsk(cli)) return false;
  return confirmed("Trust this?");
}
